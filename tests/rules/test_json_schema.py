"""JSON Schemas of sheet files, play-offs and results: what the site takes and writes is valid, what is broken isn’t."""

import copy
import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from rules import all_games, find_game
from rules.core.files import play_off_file, sheet_file
from rules.core.files.json_schema import SHARED, schema_document, schemas, with_references
from rules.core.files.play_off_file import PLAY_OFF_FORMAT, RESULT
from rules.core.files.results import shape_of_result
from rules.core.files.schema import (
    Among,
    AnyObject,
    Anything,
    Date,
    FixedList,
    Flag,
    ListOf,
    Members,
    Name,
    OneOf,
    OrNull,
    PerName,
    ShortText,
    Text,
    Whole,
    fits,
    parse,
)
from rules.core.files.score import score_paper
from rules.core.files.sheet_file import PROBLEMS_FORMAT, SHEET_FORMAT, Refused, read_object, schema_of_rule
from rules.core.files.writer import sheet_document
from rules.core.options import HouseRule
from tests.conftest import PROJECT
from tests.rules.examples import PLAY_OFFS, accepted_documents, examples_named, games_with_examples
from tests.sixth.visit import sixth_game


@cache
def validators():
    """What checks a document of a format."""
    return {name: Draft202012Validator(schema) for name, schema in schemas().items()}


def is_valid(document):
    """Whether a document fits the schema of its format, or that of its game where it has no format that is known."""
    formats = validators()
    name = document.get("format") if isinstance(document, dict) else None
    return isinstance(name, str) and name in formats and formats[name].is_valid(document)


def all_examples():
    for name in (*(game.module for game in games_with_examples()), PLAY_OFFS):
        for number, case in enumerate(examples_named(name)):
            yield pytest.param(case["document"], id=f"{name} {number}")
    for file in sorted((PROJECT / "tests" / "sheets" / "games").glob("*.json")):
        yield pytest.param(json.loads(file.read_text("utf-8"))["document"], id=file.stem)
    for file in sorted((PROJECT / "fixtures" / "demo").glob("*.json")):
        yield pytest.param(json.loads(file.read_text("utf-8"))["sheet"], id=f"demo {file.stem}")


def answer_to(document):
    """What `manage.py score` answers."""
    try:
        return score_paper(json.dumps(document))
    except Refused as refused:
        return refused.document()


def faults_of(document):
    """What is wrong with the shape of a document."""
    file = play_off_file if document.get("format") == PLAY_OFF_FORMAT else sheet_file
    return file.shaped(document)[1]


@pytest.mark.parametrize("schema", schemas().values(), ids=schemas())
def test_schema_is_one(schema):
    Draft202012Validator.check_schema(schema)
    # Every reference leads somewhere, and nothing is defined in vain.
    text = json.dumps(schema)
    assert [name for name in schema.get("$defs", {}) if f'"#/$defs/{name}"' not in text] == []
    assert text.count('"$ref"') == sum(text.count(f'"#/$defs/{name}"') for name in schema.get("$defs", {}))


@pytest.mark.parametrize("document", list(all_examples()))
def test_what_is_taken_and_its_result_are_valid(document):
    answer = answer_to(document)
    assert is_valid(answer)
    if answer["format"] == PROBLEMS_FORMAT:
        return
    assert is_valid(document)
    if document["format"] == SHEET_FORMAT:
        file = read_object(document)
        assert is_valid(sheet_document(file.game, file.table, file.entries, file.names, replaced=file.replaced))


def test_table_of_a_play_off_that_waits_is_valid():
    document = next(
        document for document in accepted_documents(find_game("dirty-dog"))
        if score_paper(json.dumps(document))["finished"] and "tie_breaks" not in document
    )  # fmt: skip
    seen = set()
    for through in range(1, len(document["players"])):
        group = {**document, "decides": {"through": through, "below": 1, "high_card": through % 2 == 0}}
        answer = answer_to(group)
        assert is_valid(answer)
        if answer["format"] != PROBLEMS_FORMAT:
            assert is_valid(group)
            seen |= {key for key in ("through", "below") if key in answer}
    assert seen == {"through", "below"}


# What is broken


def paths(value, path=()):
    """The paths to everything in a document."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in inside:
        yield from paths(member, (*path, key))


OTHERS = (None, True, False, 0, -1, 2**70, 1.5, "", "Zoe", " Ann", "n" * 41, [], [None], {}, {"Ann": 1}, {"zoe": None})


def broken(document):
    """The document with one thing otherwise: another value, a key more, a key or a member less."""
    for path in paths(document):
        for other in OTHERS if path else ():
            again = copy.deepcopy(document)
            holder = again
            for key in path[:-1]:
                holder = holder[key]
            holder[path[-1]] = other
            yield again
        if path:
            again = copy.deepcopy(document)
            holder = again
            for key in path[:-1]:
                holder = holder[key]
            del holder[path[-1]]
            yield again
        again = copy.deepcopy(document)
        holder = again
        for key in path:
            holder = holder[key]
        if isinstance(holder, dict):
            holder["nonsense"] = 1
            yield again


def smallest(documents):
    return min(documents, key=lambda document: len(json.dumps(document)))


def to_break():
    """The smallest file of each game, and of a play-off with finals; and what has something else in it."""
    for game in games_with_examples():
        documents = accepted_documents(game)
        keys = {key for document in documents for key in document}
        yield from (
            pytest.param(smallest([document for document in documents if key in document]), id=f"{game.module} {key}")
            for key in sorted(keys - {"format", "game", "players", "hands"})
        )
    play_offs = [case["document"] for case in examples_named(PLAY_OFFS) if "expect" in case]
    with_finals = [document for document in play_offs if "losers_table" in document]
    yield pytest.param(smallest(with_finals), id="play-off")


@pytest.mark.thorough(but=5)
@pytest.mark.parametrize("document", list(to_break()))
def test_broken_file_is_valid_where_its_shape_is_right_and_only_there(document):
    counts = {True: 0, False: 0}
    for again in broken(document):
        text = json.dumps(again)
        valid, read = is_valid(json.loads(text)), parse(text)
        counts[valid] += 1
        if valid:
            # A schema does not say that there must be a group.
            assert [fault for fault in faults_of(read) if "without a group" not in fault.message] == []
        else:
            with pytest.raises(Refused):
                score_paper(text)
    assert min(counts.values()) > 10


@pytest.mark.parametrize(
    "broken",
    [
        {"format": "score-sheet/2"},
        {"game": "canasta"},
        {"players": "Ann, Bo"},
        {"players": ["Ann", "Bo ", "Cy", "Di"]},
        {"hands": [{"bids": {"Ann": 1}, "trump": "H", "turned": "7H"}]},
        {"hands": [{"void": False}]},
        {"house_rules": {"deal_whole_deck": "yes"}},
        {"house_rules": {"bottom_buddies_gap": 51}},
        {"house_rules": {"my_own": True}},
        {"played_on": "yesterday"},
        {"winner": "Ann"},
    ],
)
def test_broken_sheet_is_not_valid(broken):
    document = smallest(accepted_documents(find_game("dirty-dog")))
    assert is_valid(document)
    assert not validators()["score-sheet/1"].is_valid(document | broken)


def test_broken_results_are_not_valid():
    document = smallest(accepted_documents(find_game("dingo")))
    result = score_paper(json.dumps(document))
    for broken in ({"winner": 1}, {"legs": []}, {"through": "Ann"}, {"totals": {"Ann": "7"}}, {"game": "hotdog"}):
        assert not is_valid(result | broken), broken
    for key in set(result) - {"format"}:
        assert not is_valid({name: value for name, value in result.items() if name != key}), key
    assert not is_valid({"format": "score-problems/1", "problems": [{"code": "bad-card"}]})


# What is declared of results


@pytest.mark.parametrize("game", games_with_examples(), ids=lambda game: game.slug)
def test_every_key_that_is_declared_of_a_result_comes_in_one(game):
    results = [score_paper(json.dumps(document)) for document in accepted_documents(game)]
    shape = shape_of_result(game)
    assert {key for result in results for key in result} == {*shape.required, *shape.optional} - {"through", "below"}
    row = shape.required["hands"].inside
    assert {key for result in results for hand in result["hands"] for key in hand} == {*row.required, *row.optional}


def test_every_key_that_is_declared_of_a_play_off_comes_in_one():
    results = [score_paper(json.dumps(case["document"])) for case in examples_named(PLAY_OFFS) if "expect" in case]
    assert {key for result in results for key in result} == {*RESULT.required, *RESULT.optional}


def test_game_without_a_file_format_of_its_own_has_a_schema(tmp_path):
    with sixth_game(tmp_path, game="marbles"):
        validator = Draft202012Validator(schemas()["score-sheet/1"])
        ring = {"shooter": {}, "ring": {"card": "7", "glass": "Bo"}, "marbles": {"Ann": 3, "Bo": 4}, "note": "Oh!"}
        sheet = {"format": "score-sheet/1", "game": "marbles", "players": ["Ann", "Bo"], "hands": [ring]}
        assert validator.is_valid(sheet)
        for other in ({"ring": 7}, {"note": {}}, {"ring": {"card": []}}, {"marbles": {"Ann": 1.5}}):
            assert not validator.is_valid(sheet | {"hands": [ring | other]}), other
    assert "marbles" not in {game.slug for game in all_games()}


# Shapes


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.sampled_from(["", "Ann", " Ann", "Ann\n", "a\tb", "a\x00b", "\x85", "n" * 40, "n" * 41, "H", "2026-03-19"])
    | st.text(st.characters(codec="utf-8"), max_size=5),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.sampled_from(["a", "b", "c", "Ann", ""]), inside),
    max_leaves=6,
)  # fmt: skip
SHAPES = [
    Whole(), Whole(0), Whole(1, 9), Flag(), Flag(only=True), Text(), ShortText(3, 1), ShortText(40), Among(("H",)),
    Among(("H", "Ann")), Date(), Name(), OrNull(Name()), OrNull(Whole(2)), ListOf(Whole(0)), ListOf(Name()),
    AnyObject(), FixedList((Whole(), Name())), FixedList((Whole(), Flag(), Name()), may_lack=1), PerName(Whole()),
    Anything(), Members({"a": Whole()}, {"b": Flag(), "c": OrNull(Text())}, apart=("b", "c")),
    OneOf({"a": Members({"a": Whole()}, {"c": Text()}), "b": Members({"b": Flag(only=True)}, {})}),
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_schema_of_a_shape_takes_what_the_shape_takes(shape):
    validator = Draft202012Validator(shape.schema())

    @given(VALUES)
    def takes(value):
        assert validator.is_valid(value) is fits(shape, value)

    takes()


def test_schema_of_a_house_rule_has_its_values_and_its_default():
    rule = HouseRule("peak", default=None, values=(None, *range(1, 9)), sentence="")
    one_to_eight = {"type": "integer", "minimum": 1, "maximum": 8}
    assert schema_of_rule(rule) == {"anyOf": [{"enum": [None]}, one_to_eight], "default": None}
    rule = HouseRule("legs", default=5, values=(3, 5, 7), sentence="")
    assert schema_of_rule(rule) == {"enum": [3, 5, 7], "default": 5}
    rule = HouseRule("open", default=False, values=(False, True), sentence="")
    assert schema_of_rule(rule) == {"type": "boolean", "default": False}


def test_what_stands_often_is_defined_once():
    schema = schema_document("people/1", ListOf(Name()).schema())
    assert schema["items"] == {"$ref": "#/$defs/name"}
    assert schema["$defs"] == {"name": Name().schema()}
    assert "name" not in schema_document("numbers/1", ListOf(Whole()).schema())["$defs"]
    assert with_references([{"a": 1}], {key: shape.schema() for key, shape in SHARED.items()}) == [{"a": 1}]
