"""Faults of grammar in what a page says: what comes out where a sentence is put together from numbers and names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

#: What is counted, as one and as several.
NOUNS = {
    "hand": "hands", "card": "cards", "player": "players", "person": "people", "night": "nights", "game": "games",
    "table": "tables", "point": "points", "trick": "tricks", "sheet": "sheets", "member": "members", "bid": "bids",
    "group": "groups", "round": "rounds", "seat": "seats", "minute": "minutes", "hour": "hours", "day": "days",
    "trophy": "trophies", "place": "places", "line": "lines", "file": "files", "name": "names", "guest": "guests",
    "rubber": "rubbers", "week": "weeks", "record": "records", "award": "awards", "question": "questions",
    "phone": "phones", "pair": "pairs", "win": "wins", "time": "times", "deck": "decks", "result": "results",
}  # fmt: skip
ONE, MANY = "|".join(NOUNS), "|".join(NOUNS.values())
FAULTS = {
    "one of several": re.compile(rf"(?<![\d.,:/−-])\b(?:1|one) (?:{MANY})\b"),
    "several of one": re.compile(rf"(?<![\d.,:/+−-])\b(?:0|[2-9]|1\d|[2-9]\d|two|three|seven) (?:{ONE})\b(?! of)"),
    "a before a vowel": re.compile(r"\b[Aa] (?:8|11|18|eight|eleven|eighteen|ace|hour|organiser|invitation|open)\b"),
    "an before a consonant": re.compile(r"\b[Aa]n (?:[1-79]\b|one|two|seven|dealer|hand|card|player|club|table|sheet)"),
    "a word twice": re.compile(r"\b(and|the|is|are|has|have|of|to|a|an|in|with|for|or|was|by|at|it|on) \1\b"),
    "a verb for several": re.compile(
        r"\b[A-Z][a-z]+ and [A-Z][a-z]+ (?:is|has|was|wins|leads|deals|draws|goes|plays)\b"
    ),
    "a space before a stop": re.compile(r"\s(?:[,.;!?]|(?<!\d ):)(?=\s|$)"),
    "two stops": re.compile(r"(?<!\.)\.\.(?!\.)|,,|, ,|;;|::|,\.|:\.|;\.|!\.|\?\."),
    "nothing between brackets": re.compile(r"\(\s*\)|“\s*”|: *\.$"),
    "a value of the program": re.compile(r"\b(?:None(?!: score)|True|False|nan|undefined|NULL)\b|\{\w*\}|%[sd]\b"),
    "a small letter after a stop": re.compile(r"[a-z][.!?] (?:the|a|an|it|they|this|that|nobody|who|all|every)\b"),
}
#: Elements that are read as one piece each.
BLOCKS = {
    "p", "li", "h1", "h2", "h3", "h4", "td", "th", "caption", "label", "legend", "button", "summary", "dt", "dd",
    "option", "a", "div", "title", "section", "small", "article", "header", "footer", "main", "nav", "form", "table",
    "tr", "ul", "ol", "dl", "fieldset", "details", "figure", "figcaption", "input", "select", "svg", "img", "br",
}  # fmt: skip
SKIPPED = {"script", "style", "template", "textarea", "svg", "code"}
VOID = {"br", "hr", "img", "input", "link", "meta", "path", "rect", "use", "circle", "line", "wbr", "source"}


class Sentences(HTMLParser):
    """The text of a page that is shown, block by block."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[str] = [""]
        #: The open elements from the outside in, each with whether it is not shown.
        self.open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append((tag, tag in SKIPPED or "hidden" in dict(attrs)))
        if tag in BLOCKS:
            self.blocks.append("")
        if tag == "code":
            # What a program says is no English: a word stands in its place, so that the sentence is read as a whole.
            self.blocks[-1] += "something"

    def handle_endtag(self, tag: str) -> None:
        if any(tag == name for name, _ in self.open):
            while self.open.pop()[0] != tag:
                pass
        if tag in BLOCKS:
            self.blocks.append("")

    def handle_data(self, data: str) -> None:
        if not any(is_hidden for _, is_hidden in self.open):
            self.blocks[-1] += data


def blocks_of(page: str) -> list[str]:
    """What a page says, each block of it with single spaces."""
    parser = Sentences()
    parser.feed(page)
    parser.close()
    texts = (re.sub(r"[ \n\t]+", " ", text).strip() for text in parser.blocks)
    return [text for text in texts if text]


def faults_in(text: str) -> Iterator[str]:
    """What is wrong with a sentence: the kind of fault, and the words."""
    for fault, pattern in FAULTS.items():
        for found in pattern.finditer(text):
            yield f"{fault}: {found[0]!r} in {text!r}"


def faults_on(page: str) -> list[str]:
    """What is wrong with a page."""
    return [fault for block in blocks_of(page) for fault in faults_in(block)]
