"""Hands and sheet files of Bird Dog for tests, and what a played hand comes to, reckoned by hand."""

import json

from rules import find_game
from rules.core.files.sheet_file import Refused, score_document

GAME = find_game("bird-dog")
NAMES = ("Ann", "Bo", "Cy")
SEATS = (1, 2, 3)


def three(numbers, of=int):
    """``three("2 1 0")``: a number for each of the three, in the order they sit."""
    return dict(zip(NAMES, map(of, numbers.split()), strict=True))


def hand(turned="9H", caller="Ann", nil=None, *, pairs=None, faces=None, tricks=None, **keys):
    """A hand of a sheet file: ``pairs="2 1 0"``, ``faces="2J1Q - 3K"``, ``tricks="3 2 2"``."""
    item = {"turned": turned.split(), "caller": caller, "nil": nil}
    if pairs is not None:
        item["pairs"] = three(pairs)
    if faces is not None:
        item["captured"] = three(faces, counted)
    if tricks is not None:
        item["tricks"] = three(tricks)
    return item | keys


def counted(faces):
    """The faces of one player: ``2J1Q``, or ``-`` for none."""
    return {face: int(faces[faces.index(face) - 1]) if face in faces else 0 for face in "JQK"}


def document(*hands, players=NAMES, **keys):
    """A sheet file."""
    return {"format": "score-sheet/1", "game": "bird-dog", "players": list(players), "hands": list(hands), **keys}


def scored(*hands, **keys):
    """The result of a sheet with these hands."""
    return score_document(json.dumps(document(*hands, **keys)))


def points(*hands, **keys):
    """The points of the last of these hands: ``"3 1 -3"``."""
    return " ".join(str(number) for number in scored(*hands, **keys)["hands"][-1]["points"].values())


def problems(*hands, **keys):
    """Everything for which a sheet with these hands is refused; nothing where it is scored."""
    try:
        scored(*hands, **keys)
    except Refused as refused:
        return refused.document()["problems"]
    return []


def codes(*hands, **keys):
    """The codes of it."""
    return [problem["code"] for problem in problems(*hands, **keys)]


def by_hand(played, *, bonus_for_tied=False, no_bonus_without_caller=False):
    """The points of a hand as it lay on the table, worked out on fingers and without a word of the rules' own code."""
    piles = {seat: "".join(card[0] for trick in tricks for card in trick) for seat, tricks in played.taken.items()}
    points = dict.fromkeys(piles, 0)
    for seat, pile in piles.items():
        for face in "JQK":
            left = pile.count(face)
            while left >= 2:
                points[seat] += 1
                left -= 2
    pairs = dict(points)
    best = sorted(pairs.values())[-1]
    sharing = [seat for seat in pairs if pairs[seat] == best]
    for seat in sharing:
        if seat == played.caller or best == 0:
            continue
        if played.caller is None and no_bonus_without_caller:
            continue
        if len(sharing) > 1 and not bonus_for_tied:
            continue
        points[seat] += 1
    if played.nil is not None:
        points[played.nil] += -3 if played.taken[played.nil] else 3
    return points
