"""What Python tells the scripts of the pad is what `scoresheets/pad/state.py` describes, and they read nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from inspect import getsource
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest
from django.conf import settings

from rules import all_games
from scoresheets.commands import enter
from scoresheets.pad import state as contract
from scoresheets.pad.build import pad_of, page_of
from scoresheets.pad.state import (
    SHAPE,
    PadPage,
    PadState,
    PageData,
    PollAnswer,
    PostAnswer,
    PromptState,
    as_json,
)
from scoresheets.pad.undo_chain import with_whole_way
from tests.factories import Scorer, new_key, scorer, sure_of
from tests.scoresheets.corrections.test_correct import corrected
from tests.scoresheets.people import arrive
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}
#: What replay.js adds to the state.
ADDED = {"left", "early", "swept"}


def keys_of(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The keys of a described class: the type of each, and whether it is always there."""
    hints = get_type_hints(kind)
    if is_typeddict(kind):
        return {key: (hint, key in kind.__required_keys__) for key, hint in hints.items()}
    return {
        key.metadata.get("key", key.name): (hints[key.name], key.default is not None and key.default is not False)
        for key in fields(kind)
    }


def misfits(value: Any, kind: Any, where: str = "") -> Iterator[str]:
    """Everything in a JSON document that is not as the type says."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any or kind is object:
        return
    if origin in (Union, UnionType):
        if all(any(misfits(value, choice)) for choice in inner):
            yield f"{where}: {value!r} is no {kind}"
    elif (is_dataclass(kind) or is_typeddict(kind)) and isinstance(value, dict):
        keys = keys_of(kind)
        yield from (f"{where}: {key} is not described" for key in value if key not in keys)
        yield from (f"{where}: {key} is missing" for key in keys if keys[key][1] and key not in value)
        for key in value.keys() & keys.keys():
            yield from misfits(value[key], keys[key][0], f"{where}.{key}")
    elif origin in (tuple, list) and isinstance(value, list):
        kinds = inner[:1] * len(value) if origin is list or inner[-1] is ... else inner
        if len(kinds) != len(value):
            yield f"{where}: {value!r} is no {kind}"
            return
        for i, (each, of) in enumerate(zip(value, kinds, strict=True)):
            yield from misfits(each, of, f"{where}[{i}]")
    elif origin in (dict, Mapping) and isinstance(value, dict):
        for key, each in value.items():
            if inner[0] is int and not key.lstrip("-").isdigit():
                yield f"{where}: {key!r} is no number"
            yield from misfits(each, inner[1], f"{where}[{key}]")
    elif type(value) is not kind:
        yield f"{where}: {value!r} is no {kind}"


def bids(p: Scorer) -> None:
    order = p.reading.sheet.open.hand.order  # type: ignore[union-attr]
    sure_of(p.bid(order[0], 1))
    sure_of(p.bid(order[1], 0))


def correct_a_bid(p: Scorer) -> None:
    seat = p.reading.sheet.open.hand.order[0]  # type: ignore[union-attr]
    sure_of(corrected(p, {(1, f"bid-{seat}"): {"bid": 0}}))


def tied(p: Scorer) -> None:
    for taker in (1, 1, 2, 2):
        p.hand(dict.fromkeys(range(1, 5), 0), {seat: int(seat == taker) for seat in range(1, 5)})


MOMENTS: dict[str, Callable[[Scorer], object]] = {
    "opened": lambda p: None,
    "bids": bids,
    "misdeal": lambda p: (bids(p), sure_of(enter.misdeal(p.sheet, 1, 1, key=new_key(), by=p.by))),
    "scored": lambda p: (p.clear_hand(), p.clear_hand()),
    "stopped": lambda p: (p.clear_hand(), sure_of(enter.stop(p.sheet, 2, key=new_key(), by=p.by, sure=True))),
    "joined": lambda p: (p.clear_hand(), sure_of(arrive(p, "Joe"))),
    "joins next": lambda p: (p.clear_hand(), bids(p), sure_of(arrive(p, "Joe", after=True))),
    "corrected": lambda p: (bids(p), correct_a_bid(p)),
    "blind hand": lambda p: (tied(p), p.settle()),
    "blind hand beside a draw": lambda p: (tied(p), sure_of(p.enter(0, "draw-1", rank_1="K", rank_2="Q"))),
    "finished": lambda p: p.clear_game(),
}


def documents(p: Scorer) -> Iterator[Any]:
    """The JSON of the pad, as the page has it and as a poll is answered."""
    state = pad_of(p.reading)
    for each in (state, with_whole_way(state, p.reading)):
        yield json.loads(json.dumps(as_json(each)))


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("moment", MOMENTS)
def test_the_pad_of_dirty_dog_is_as_described(moment: str) -> None:
    p = scorer(4, plan={"peak": 1} if moment.startswith("blind hand") else {"peak": 3, "extra_rounds": 0})
    MOMENTS[moment](p)
    for document in documents(p):
        assert list(misfits(document, PadState)) == []


@pytest.mark.parametrize("slug", [game.slug for game in all_games() if game.pad == "prompts"])
def test_a_pad_of_prompts_is_as_described(slug: str) -> None:
    p = scorer(game=slug)
    for _ in range(2):
        for document in documents(p):
            assert list(misfits(document, PromptState)) == []
        p.any_hand()


def test_what_the_page_and_the_answers_say_is_as_described() -> None:
    phone = Plain(4)
    hand = {"hand": 1, "saw": ""}
    page = re.search(r'<script id="pad-data" type="application/json">(.*?)</script>', phone.response.content.decode())
    assert page
    answers: list[tuple[Any, Any]] = [(json.loads(page[1]), PageData)]
    seats = phone.scorer.reading.sheet.open.hand.order  # type: ignore[union-attr]
    for ask, bid, status in ((seats[0], 0, 200), (seats[0], 1, 409), (seats[1], 99, 422)):
        post = hand | {"ask": f"bid-{ask}", "f-bid": bid, "key": new_key()}
        answer = phone.client.post(phone.url("enter"), post, headers=JSON)
        assert answer.status_code == status
        answers.append((answer.json(), PostAnswer))
    answers.append((phone.client.get(phone.url("state"), headers=JSON).json(), PollAnswer))
    for document, kind in answers:
        assert list(misfits(document, kind)) == []
        assert list(misfits(document["pad"], PadState)) == []
        assert document["pad"]["shape"] == SHAPE


# The scripts

SCRIPTS = {
    file.name: re.sub(r"(?m)//.*$", "", file.read_text())
    for folder in ("pad", "pad_later")
    for file in sorted((Path(settings.BASE_DIR) / "static" / "js" / folder).glob("*.js"))
}
STATE = {key for kind in (PadState, PromptState) for key in keys_of(kind)} | ADDED


def keys_read(*values: str) -> set[tuple[str, str]]:
    """What the scripts read of these variables: (script, key)."""
    names = "|".join(values)
    read = set()
    for script, text in SCRIPTS.items():
        if script == "sheet_panel.js" and "moment" not in values:
            continue  # its page and its answer are those of the running sheet
        patterns = [rf"\b(?:{names})\??\.(\w+)", rf"\{{([^{{}}]*)\}} = (?:{names})\b(?!\.)"]
        for function, keys in re.findall(r"(?:function |const )(\w+)(?: = )?\(\{([^{}]*)\}", text):
            if re.search(rf"\b{function}\((?:{names})\b[,)]", text):
                patterns.append(rf"(?:function |const ){function}(?: = )?\(\{{([^{{}}]*)\}}")
                assert keys
        for pattern in patterns:
            for keys in re.findall(pattern, text):
                read |= {(script, key.split(":")[0].split("=")[0].strip(" .")) for key in keys.split(",")}
    return {(script, key) for script, key in read if key}


@pytest.mark.parametrize(("values", "described"), [
    (("moment", "base", "fresh.pad", r"kept\.pad", r"at\(\)"), STATE),
    (("data",), keys_of(PageData).keys()),
    (("page",), keys_of(PadPage).keys()),
    (("answer",), {*keys_of(PostAnswer), *keys_of(PollAnswer)}),
])  # fmt: skip
def test_the_scripts_read_no_key_that_is_not_described(values: tuple[str, ...], described: set[str]) -> None:
    read = keys_read(*values)
    assert read
    assert {(script, key) for script, key in read if key not in described} == set()


def test_the_scripts_know_the_addresses_they_ask_for() -> None:
    urls = page_of(scorer(4).reading)["urls"]
    asked_for = set(re.findall(r"page\.urls\.(\w+)", "".join(SCRIPTS.values())))
    assert asked_for
    assert asked_for <= urls.keys()


def test_every_key_is_read_by_a_script_or_marked_as_one_for_pages() -> None:
    scripts, unread = "".join(SCRIPTS.values()), set()
    for name, kind in vars(contract).items():
        if getattr(kind, "__module__", "") != contract.__name__ or not (is_dataclass(kind) or is_typeddict(kind)):
            continue
        source = "".join(getsource(base) for base in kind.__mro__ if base not in (dict, object))
        marked = set(re.findall(r"#: \(page\).*\n    (\w+):", source))
        unread |= {(name, key) for key in keys_of(kind) if key not in marked and not re.search(rf"\b{key}\b", scripts)}
    assert unread == set()
