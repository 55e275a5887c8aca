// Tagged templates for markup, and updates that change only the nodes that differ.

const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

class Markup {
  constructor(text) {
    this.text = text;
  }
}

function written(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(written).join("");
  if (value === null || value === undefined || value === false) return "";
  return String(value).replace(/[&<>"']/g, (sign) => SIGNS[sign]);
}

// Whatever is put into it is text, but for other markup made by it.
export function html(strings, ...values) {
  return new Markup(strings.reduce((text, string, i) => text + written(values[i - 1]) + string));
}

// Let `element` hold what the markup says. What is the same stays the same element, so that focus stays where it is.
export function draw(element, markup) {
  const template = document.createElement("template");
  template.innerHTML = markup.text;
  children(element, template.content);
}

function children(old, fresh) {
  const wanted = [...fresh.childNodes];
  wanted.forEach((node, i) => {
    const there = old.childNodes[i];
    if (!there) old.append(node);
    else if (!alike(there, node)) there.replaceWith(node);
    else if (node.nodeType === Node.TEXT_NODE) {
      if (there.data !== node.data) there.data = node.data;
    } else {
      attributes(there, node);
      children(there, node);
    }
  });
  while (old.childNodes.length > wanted.length) old.lastChild.remove();
}

function alike(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.id === b.id;
}

function attributes(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.nodeName === "INPUT" && old.value !== fresh.value) old.value = fresh.value;
}
