"""What a browser shows with larger text: by its own font size, and by its zoom."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page

from tests.browser.waits import wait_until

#: Per cent, and how: the font size of the browser, or its zoom, which leaves a page a smaller window.
SIZES = [(100, "font"), (150, "font"), (200, "font"), (150, "zoom"), (200, "zoom")]
#: What may be shortened at the usual size, because a tap shows the whole of it.
SHORTENED = "a.aloud, .played ~ .pad .read, .sheet thead .name"

#: Text that nobody can read: cut off, outside of the page, or with other text across it. One sentence each; [] is well.
#: Of what the selector finds nothing is cut off.
UNREADABLE = """(shortened) => {
  const found = new Set();
  const texts = [];
  const modal = document.querySelector('dialog:modal');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);

  // What of a line can be seen, and whether some of it is cut off for good. It stands within `up`.
  function look({ left, right, top, bottom }, up, text) {
    // Lines stand closer together than their letters are high; upright ones side by side.
    const ink = { left, right, top, bottom };
    const across = up[0][1].writingMode.startsWith('vertical') ? ['left', 'right'] : ['top', 'bottom'];
    const trimmed = (ink[across[1]] - ink[across[0]]) * 0.2;
    ink[across[0]] += trimmed;
    ink[across[1]] -= trimmed;
    let scrolls = false;
    for (const [one, style] of up) {
      if (one === document.documentElement) break;
      const box = one.getBoundingClientRect();
      for (const [axis, low, high] of [['X', 'left', 'right'], ['Y', 'top', 'bottom']]) {
        const how = style[`overflow${axis}`];
        if (how === 'visible') continue;
        const isOut = ink[low] < box[low] - 2 || ink[high] > box[high] + 2;
        const isCut = isOut && !scrolls && (how === 'hidden' || how === 'clip');
        if (isCut && !one.matches(shortened)) found.add(`“${text}” is cut off by ${one.localName}.${one.className}`);
        scrolls ||= how === 'auto' || how === 'scroll';
        ink[low] = Math.max(ink[low], box[low]);
        ink[high] = Math.min(ink[high], box[high]);
      }
      if (style.position === 'fixed') return ink;
    }
    if (!scrolls && (left < -2 || right > innerWidth + 2)) found.add(`“${text}” lies outside`);
    return ink;
  }

  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest('script, style, template, option, svg, .skip')) continue;
    if (modal && !modal.contains(parent)) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const up = [];
    for (let one = parent; one; one = one.parentElement) up.push([one, getComputedStyle(one)]);
    if (up.some(([, style]) => style.clipPath.startsWith('inset(50%'))) continue;
    const isStuck = up.some(([, style]) => style.position === 'sticky' || style.position === 'fixed');
    const text = node.data.trim().replace(/\\s+/g, ' ').slice(0, 40);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      if (line.width <= 1 || line.height <= 1) continue;
      const ink = look(line, up, text);
      texts.push({ node, text, isStuck, ink });
      // A heading that sticks lies over what is below it: only its own cell tells that it runs out.
      const cell = parent.closest('th')?.getBoundingClientRect();
      const isOver = cell && (ink.left < cell.left - 2 || ink.right > cell.right + 2 || ink.bottom > cell.bottom + 2);
      if (isOver) found.add(`“${text}” runs out of its cell`);
    }
  }
  for (const [i, one] of texts.entries()) {
    for (const other of texts.slice(i + 1)) {
      if (other.node === one.node || one.isStuck !== other.isStuck) continue;
      const wide = Math.min(one.ink.right, other.ink.right) - Math.max(one.ink.left, other.ink.left);
      const high = Math.min(one.ink.bottom, other.ink.bottom) - Math.max(one.ink.top, other.ink.top);
      if (wide > 2 && high > 2) found.add(`“${one.text}” and “${other.text}” lie across each other`);
    }
  }
  if (document.documentElement.scrollWidth > innerWidth + 2) found.add('the page is wider than its window');
  return [...found];
}"""


#: Two frames: what hears of another window has heard of it.
LAID_OUT = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
#: Whether the letters of the browser are so many pixels high.
LETTERS = "(size) => parseFloat(getComputedStyle(document.documentElement).fontSize) === size"
#: Whether every style sheet has come.
STYLED = "[...document.querySelectorAll('link[rel=stylesheet]')].every((link) => link.sheet)"


def in_larger_text(page: Page, device: dict[str, Any]) -> Iterator[str]:
    """The page in every size of its text, laid out anew without being loaded again."""
    browser = page.context.new_cdp_session(page)
    window = device["viewport"]
    for percent, how in SIZES:
        times = percent / 100
        size = round(16 * times) if how == "font" else 16
        browser.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": 13}})
        zoom = times if how == "zoom" else 1
        page.set_viewport_size({side: math.floor(length / zoom) for side, length in window.items()})
        wait_until(page, LETTERS, size)
        page.evaluate(LAID_OUT)
        wait_until(page, STYLED)
        yield f"{percent} % by {how}"
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
    page.set_viewport_size(window)


def unreadable(page: Page, device: dict[str, Any], what: str) -> list[str]:
    """What cannot be read in any size, with the size and what it was looked at."""
    return [
        f"{what}, {size}: {one}"
        for size in in_larger_text(page, device)
        for one in page.evaluate(UNREADABLE, SHORTENED if size.startswith("100") else ":not(*)")
    ]
