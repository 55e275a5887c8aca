"""Somebody who sends a site what no page of it sends. They throw dice, and the same seed throws the same things."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from urllib.parse import urlsplit

from scoresheets.models import Entry, Revision
from tests.factories import new_key
from tests.fuzz.tables import CUT_OFF, HELD, NEIGHBOUR, Evening, Form, address_of, quoted, routes

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "post", "G@T")

#: What a field or a place in an address can be given. Bytes are sent as they are: they need not be text.
NASTY: list[str | bytes] = [
    "", " ", "0", "-0", "-1", "1", "+1", "01", "1.5", "1e9", "1E400", "NaN", "Infinity", "-inf", "0x10", "1_000", "٣",
    "²", "½", "2147483648", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "9" * 30, "9" * 5000,
    "-" + "9" * 5000, "true", "True", "None", "null", "undefined", "[]", "{}", '{"a": 1}', "[1,2]", "\\ud800", "'",
    '"', "`", "<b>", "</script>", "{{ 7 }}", "{% now %}", "%s%n", "%(x)s", "../../etc", "C:\\", "' OR 1=1 --", "=1+1",
    "$(id)", "\x00", "a\x00b", "\x1b[2J", "\r\nSet-Cookie: a=b", "\n", "\u202eevil", "\u200b", "\ufeff", "\u0301" * 50,
    "\U0001f469\u200d\U0001f467", "İ", "ß", "ﷺ", "\U0010ffff", "A\u030a", "\ud800", "\udfff\ud800", b"\xff\xfe",
    b"\xed\xa0\x80", b"\xc3\x28", b"\xf5\x80\x80\x80", "n" * 41, "n" * 201, "n" * 2001, "ﷺ" * 20_000, "x" * 200_000,
    "x" * 1_000_000, " " * 100_000, "bid-2", "tricks", "table", "tie-1-bid-2", "draw-1", "note-1", "misdeal-1",
    "stop-1", "arrive-1", "bid-9999999999", "bid-", "-", "BID-2", "bid-2\n", "dirty-dog", "jack", "pad",
    "//evil.example/", "javascript:x", "1" * 22, "A" * 64,
]  # fmt: skip
FIELDS = (
    "key", "hand", "ask", "saw", "sure", "version", "event", "seat", "name", "pick", "do", "next", "again", "quiet",
    "game", "coming", "dealer", "by", "house-", "plan-peak", "f-bid", "f-tricks-1", "f-tricks-2", "f-suit", "f-turned",
    "f-rank-3", "f-", "term", "meaning", "tag", "note", "more", "fewer", "touched", "seen", "title", "keeper", "typed",
    "typed-late", "who", "person", "player", "left_of", "order", "swap", "place-1", "when", "at", "what", "since",
    "until", "why", "move", "look", "back", "as-played", "saw:bid-1", "f:bid-1:bid", "f:tricks:tricks-1", "has:f:stop",
    "first_dealer", "name-0-sits-1", "saw-table", "was-title", "total-1", "below-1", "1.bid-1.bid", "file",
    "players", "names", "layout", "link", "watch", "phone", "before",
)  # fmt: skip
#: Words that a page tells apart in its address.
ASKED = (
    "v", "open", "only", "hand", "again", "term", "seat", "page", "next", "at", "game", "names", "players", "layout",
    "before", "who", "left_of", "when", "swap",
)  # fmt: skip
CHARSETS = ("utf-8", "latin-1", "utf-16", "utf-7", "unicode_escape", "no-such", "\xe9")
JUNK_HEADERS: list[dict[str, str]] = [
    {"HTTP_ACCEPT": "application/json"}, {"HTTP_ACCEPT": "application/json;q=NaN, */*;q=-1"},
    {"HTTP_ACCEPT": "\xff/\x00"}, {"HTTP_HX_REQUEST": "true"},
    {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "\udcff" * 3, "HTTP_HX_BOOSTED": "maybe"},
    {"HTTP_HX_CURRENT_URL": "http://[", "HTTP_HX_REQUEST": "true"},
    {"HTTP_HX_TRIGGER": "%ff", "HTTP_HX_TRIGGER_URI_AUTOENCODED": "true"}, {"HTTP_RANGE": "bytes=-1-"},
    {"HTTP_IF_NONE_MATCH": '"'}, {"HTTP_IF_MODIFIED_SINCE": "Sat, 99 Foo 99999 99:99:99 GMT"},
    {"HTTP_HOST": "evil.example"}, {"HTTP_HOST": "[::1"}, {"HTTP_HOST": "a b"},
    {"HTTP_X_FORWARDED_FOR": "9" * 99 + ", \x00"}, {"HTTP_X_FORWARDED_PROTO": "https"}, {"HTTP_REFERER": "http://["},
    {"HTTP_ORIGIN": "null"}, {"HTTP_ACCEPT_ENCODING": "gzip;q=x"}, {"HTTP_ACCEPT_LANGUAGE": "x" * 5000},
    {"CONTENT_LENGTH": "abc"}, {"CONTENT_LENGTH": "-1"}, {"CONTENT_LENGTH": "9" * 5000},
    {"HTTP_CONTENT_ENCODING": "gzip"}, {"HTTP_EXPECT": "100-continue"}, {"HTTP_X_HTTP_METHOD_OVERRIDE": "DELETE"},
    {"REMOTE_ADDR": ""}, {"REMOTE_ADDR": "not an address"},
]  # fmt: skip
JUNK_COOKIES = (
    "pencil=", "pencil=" + "x" * 23, "pencil=\xff\xfe", 'pencil="\\000\\000"', "pencil; ;=;,",
    "csrftoken=x; pencil=%00", "sessionid=" + "s" * 32, 'sessionid="\\000\\000\\000\\000\\000\\000\\000\\000\\000"',
    "sessionid=\xed\xa0\x80\xed\xa0\x80abc", "sessionid=" + "s" * 5000,
)  # fmt: skip
PHONES = (HELD,) * 12 + (CUT_OFF, NEIGHBOUR, "", "no secret", "?" * 22)


@dataclass
class Throw:
    """One request as it will be sent."""

    method: str
    address: str
    body: bytes = b""
    content_type: str = ""
    phone: str = HELD
    headers: dict[str, str] = field(default_factory=dict)
    strict: bool = False

    def __str__(self) -> str:
        shown = {name: value[:80] for name, value in self.headers.items()}
        body = self.body if len(self.body) < 400 else self.body[:400] + b" and more"
        return f"{self.method} {self.address[:300]} {shown} phone={self.phone!r} {self.content_type[:80]} {body!r}"


class Fuzzer:
    """Makes one throw after the other. `posted` are the keys that were accepted, with what was posted under them."""

    def __init__(self, seed: str, evening: Evening) -> None:
        self.dice = Random(seed)
        self.evening = evening
        #: The names of what this game asks, and of the fields in which it is answered.
        self.asks = [ask.name for ask in evening.asked]
        self.fields = (*FIELDS, *(f"f-{field.name}" for ask in evening.asked for field in ask.fields))
        self.accepted: list[tuple[str, list[tuple[str, str | bytes]]]] = []
        self.last: tuple[str, list[tuple[str, str | bytes]]] = ("", [])
        #: The version of the sheet whose pad was opened last.
        self.seen = 0

    def throw(self) -> Throw:
        """The next one."""
        if self.dice.random() < 0.3:
            return self.at_any_address()
        return self.at_a_form()

    # At an address, whatever is there

    def at_any_address(self) -> Throw:
        address = address_of(self.dice.choice(routes()), self.fill)
        if self.dice.random() < 0.6:
            address += "?" + "&".join(
                f"{quoted(self.some(ASKED))}={self.asked()}" for _ in range(self.dice.randint(1, 3))
            )
        method = self.dice.choice(METHODS) if self.dice.random() < 0.5 else "GET"
        throw = Throw(method, address, phone=self.dice.choice(PHONES), headers=self.headers())
        if method not in ("GET", "HEAD"):
            fields = [(str(self.some(self.fields)), self.value()) for _ in range(self.dice.randint(0, 4))]
            throw.body, throw.content_type = self.wrapped(fields)
        return throw

    def fill(self, name: str, kind: str) -> str:
        if self.dice.random() < 0.6:
            return self.dice.choice(self.evening.right(name, kind))
        return quoted(self.short())

    def asked(self) -> str:
        known = ["1", "more", "trump", "retype-1", self.evening.sheet.code, "bid", str(self.evening.sheet.version)]
        return self.dice.choice(known) if self.dice.random() < 0.3 else quoted(self.short())

    # At a form that a page shows

    def at_a_form(self) -> Throw:
        # To open a page takes as long as all else: it is the same until something is written.
        if self.dice.random() < 0.3 and self.seen != self.evening.sheet.version:
            self.seen = self.evening.sheet.version
            self.evening.forms_at(f"/sheets/{self.evening.sheet.code}/pad/")
        form = self.dice.choice(self.evening.forms[-40:] if self.dice.random() < 0.5 else self.evening.forms)
        fields: list[tuple[str, str | bytes]] = list(form.fields)
        if self.accepted and self.dice.random() < 0.15:
            form, fields = self.once_more(form, fields)
        for _ in range(self.dice.choice((0, 0, 0, 1, 1, 2, 4))):
            self.spoil(fields)
        address = form.action
        if self.dice.random() < 0.07:
            address = urlsplit(self.dice.choice(self.evening.forms).action).path
        elif self.dice.random() < 0.05:
            address = address.replace(self.evening.sheet.code, self.evening.other.sheet.code)
        body, content_type = self.wrapped(fields)
        headers = self.headers() if self.dice.random() < 0.4 else {}
        throw = Throw("POST", address, body, content_type, self.dice.choice(PHONES), headers)
        throw.strict = self.dice.random() < 0.05
        self.last = (address, fields)
        return throw

    def once_more(
        self, form: Form, fields: list[tuple[str, str | bytes]]
    ) -> tuple[Form, list[tuple[str, str | bytes]]]:
        """What was accepted before, again; or something else under its key."""
        address, before = self.dice.choice(self.accepted)
        if self.dice.random() < 0.5:
            return Form(address, "post", []), list(before)
        key = next((value for name, value in before if name == "key"), new_key())
        return form, [(name, key if name == "key" else value) for name, value in fields]

    def was_accepted(self, throw: Throw) -> None:
        if self.last[0] == throw.address:
            self.accepted.append(self.last)

    def spoil(self, fields: list[tuple[str, str | bytes]]) -> None:
        """Change one thing about the fields of a form."""
        at = self.dice.randrange(len(fields)) if fields else -1
        what = self.dice.choice(("value", "value", "near", "near", "near", "drop", "double", "add", "rename", "key"))
        if at < 0 or what == "add":
            fields.append((str(self.some(self.fields)), self.dice.choice((self.value, self.near))()))
        elif what == "value":
            fields[at] = (fields[at][0], self.value())
        elif what == "near":
            fields[at] = (fields[at][0], self.near())
        elif what == "drop":
            del fields[at]
        elif what == "double":
            fields.append((fields[at][0], self.dice.choice((fields[at][1], self.value()))))
        elif what == "rename":
            name = self.short()
            fields[at] = (name if isinstance(name, str) else "f-\ud800", fields[at][1])
        else:
            fields[:] = [(name, new_key() if name == "key" else value) for name, value in fields]

    def near(self) -> str:
        """Something that could have been right: another hand, seat or version, another sheet's entry."""
        numbers = [str(n) for n in (*range(11), self.evening.sheet.version)]
        entries = [str(pk) for pk in Entry.objects.values_list("pk", flat=True)]
        keys = list(Revision.objects.values_list("key", flat=True))
        asks = [*self.asks, "draw-1", "tie-1-tricks", "tie-1-bid-2", "misdeal-1", "negotiation-1", "stop-1"]
        values = ["A", "7", "Q", "hearts", "9C", "JD", "H", "NT", "works", "on", "true"]
        return self.dice.choice(self.dice.choice((numbers, numbers, entries, keys, asks, values)))

    # How it is sent

    def wrapped(self, fields: list[tuple[str, str | bytes]]) -> tuple[bytes, str]:
        """The fields as a body of some content type, mostly the right one."""
        plain, form = self.plain(fields)
        how = self.dice.choice(
            ("form",) * 12 + ("parts", "parts", "charset", "json", "none", "percent", "cut", "noise")
        )
        charset = self.some(CHARSETS)
        if how == "parts":
            return self.parts(fields, str(charset))
        if how == "json":
            text = json.dumps({name: str(value) for name, value in fields}).encode()
            return self.dice.choice(
                (text, text[:-1], b"[" * 50_000, b'{"key": "\\ud800", "hand": 1e999, "a": NaN}')
            ), "application/json"
        if how == "cut":
            return plain[: self.dice.randrange(len(plain) + 1)], form
        return {
            "form": (plain, form),
            "charset": (plain, f"{form}; charset={charset}"),
            "none": (plain, str(self.some(("", "text/plain", "text/html", "image/png", "form", "a/b/c;;=", "\xff")))),
            "percent": (plain + b"&%zz=%&&=&f-bid=%u0041;&%", form),
            "noise": (
                self.dice.randbytes(300),
                str(self.some((form, "multipart/form-data; boundary=x", "application/json"))),
            ),
        }[how]

    @staticmethod
    def plain(fields: Sequence[tuple[str, str | bytes]]) -> tuple[bytes, str]:
        """The fields as a browser sends them."""
        body = "&".join(f"{quoted(name)}={quoted(value)}" for name, value in fields)
        return body.encode(), "application/x-www-form-urlencoded"

    def parts(self, fields: list[tuple[str, str | bytes]], charset: str) -> tuple[bytes, str]:
        """A form in parts, such as one with a file in it; sometimes broken."""
        head = "--edge\r\nContent-Disposition: form-data; name={}{}\r\n\r\n"
        body = b""
        for name, value in fields:
            name = name if self.dice.random() < 0.8 else "\\ud800"
            file = self.dice.choice(
                ("",) * 6 + ('; filename="a.json"', "; filename*=utf-16''%ff", '; filename="../\x00"')
            )
            body += head.format(json.dumps(name)[:99], file).encode("utf-8", "surrogatepass")
            body += (value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")) + b"\r\n"
        body += b"--edge--\r\n"
        edge = self.some(("edge",) * 6 + ("other", "", "x" * 300, "\u00e9"))
        kind = f"multipart/form-data; boundary={edge}" if self.dice.random() < 0.95 else "multipart/form-data"
        more = f"; charset={charset}" if self.dice.random() < 0.4 else ""
        return body[: self.dice.randrange(len(body))] if self.dice.random() < 0.1 else body, kind + more

    def headers(self) -> dict[str, str]:
        """None, or some that no browser sends."""
        if self.dice.random() < 0.5:
            return {}
        found = dict(self.dice.choice(JUNK_HEADERS))
        if self.dice.random() < 0.15:
            found["HTTP_COOKIE"] = str(self.some(JUNK_COOKIES))
        return found

    def some(self, among: tuple[str, ...]) -> str:
        return self.dice.choice(among)

    def value(self) -> str | bytes:
        return self.dice.choice(NASTY)

    def short(self) -> str | bytes:
        """Something an address can hold."""
        return self.value()[:3000]
