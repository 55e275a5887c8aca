"""A hand of Dingo that was really dealt and played."""

from tests.rules.hunting import play


def deal(dice, table, hand):
    return play(dice).steps(table.seats)
