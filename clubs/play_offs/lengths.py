"""Lengths of the tables of a stage: all stop after the same hand (Rule 14), or a sentence names those that did not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from clubs.models import Stage
from scoresheets.sheet.summary import Glance


def lengths_of(tables: Iterable[tuple[Stage, Glance]]) -> dict[int, str]:
    """By sheet (id): what is to be said of tables that play more or fewer hands than the others of their round.

    Both finals are of one round. A race is as long as it takes.
    """
    rounds: dict[tuple[int, int], list[Glance]] = defaultdict(list)
    for stage, glance in tables:
        if stage.hands:
            rounds[stage.number, stage.hands].append(glance)
    return {
        glance.sheet.pk: sentence
        for (_, planned), glances in rounds.items()
        for glance, sentence in zip(glances, said_of(glances, planned), strict=True)
        if sentence
    }


def said_of(tables: Sequence[Glance], planned: int) -> list[str]:
    """What is to be said of each of them; "" of one that plays as long as was planned, or told, or as the others."""
    hands = [glance.reading.sheet.table.hands_done for glance in tables]
    announced = Counter(glance.reading.last_hand for glance in tables if glance.reading.last_hand)
    last = announced.most_common(1)[0][0] if announced else planned
    all_over = not any(glance.is_running for glance in tables)
    if all_over and last not in hands:
        last = alike(hands)
    sentences = []
    for glance, many in zip(tables, hands, strict=True):
        if many == last or (glance.is_running and many < last):
            sentences.append("")
        elif all_over:
            where = "table" if len(tables) == 2 else "tables"
            sentences.append(f"{so_many(many)} played here, {between(set(hands) - {many})} at the other {where}.")
        elif many > last:
            sentences.append(f"{so_many(many)} played here: all tables were to stop after hand {last}.")
        else:
            play = "the other plays" if len(tables) == 2 else "others play"
            sentences.append(f"Stopped after hand {many}, and {play} on.")
    return sentences


def alike(hands: Sequence[int]) -> int:
    """The number of hands that most tables have played; 0 where it is not one number."""
    (most, times), *others = Counter(hands).most_common(2)
    return 0 if others and others[0][1] == times else most


def so_many(hands: int) -> str:
    return f"{hands} hand{' was' if hands == 1 else 's were'}"


def between(hands: Iterable[int]) -> str:
    """ "8", or "6 to 8"."""
    numbers = sorted(hands)
    return f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
