"""Sheet files of Dirty Dog for tests."""

import json

from rules.core.files.sheet_file import Refused, score_document

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou", "Max")


def document(players, *hands, **keys):
    """A sheet file: so many players, or these; its hands; and any other key."""
    names = list(NAMES[:players]) if isinstance(players, int) else players
    return {"format": "score-sheet/1", "game": "dirty-dog", "players": names, "hands": list(hands), **keys}


def hand(bids, tricks, names=None, **keys):
    """A hand, both in the order of ``names`` (the first of them all)."""
    bids, tricks = bids.split(), tricks.split()
    names = names if isinstance(names, list | tuple) else NAMES[: len(bids)]
    return {
        "bids": {name: int(bid) for name, bid in zip(names, bids, strict=True)},
        "tricks": {name: int(count) for name, count in zip(names, tricks, strict=True)},
        **keys,
    }


def events(kind, name=None, **keys):
    """Something between hands, by its kind."""
    return {"misdeal": {"void": True}, "arrives": {"arrives": name}, "leaves": {"leaves": name}}[kind] | keys


def scored(document):
    """The result of a sheet file."""
    return score_document(json.dumps(document))


def problems_of(text):
    """The problems for which ``text`` is refused."""
    try:
        found = score_document(text)
    except Refused as refused:
        answer = refused.document()
        assert answer["format"] == "score-problems/1"
        return answer["problems"]
    raise AssertionError(f"It is scored: {str(found)[:200]}")
