"""How many hands: what a table of so many players is offered."""

import pytest

from rules import all_games, find_game

GAME = find_game("dirty-dog")


@pytest.mark.parametrize(
    ("players", "most", "hands"), [(2, 25, 50), (4, 12, 24), (6, 8, 18), (7, 7, 14), (10, 5, 10), (25, 2, 25)]
)
def test_most_cards_that_leave_one_to_turn_are_proposed(players, most, hands):
    by_cards, by_length = GAME.plan_choices(players, {})
    assert by_cards.usual == {"peak": most}
    assert by_cards.amounts[0].values == range(1, most + 1)
    assert by_length.usual == {"hands": hands}


def test_lengths_offered_are_those_that_keep_rule_4_and_any_other_is_possible():
    amount = GAME.plan_choices(6, {})[1].amounts[0]
    assert list(amount.offered) == [6, 12, 18, 24, 30, 36]
    assert 20 in amount.values


def test_whole_deck_may_be_proposed_where_the_house_deals_it():
    assert GAME.plan_choices(4, {"deal_whole_deck": True})[0].usual == {"peak": 13}


@pytest.mark.parametrize("players", range(2, 26))
def test_amounts_that_can_be_chosen_are_exactly_those_that_can_be_played(players):
    for choice in GAME.plan_choices(players, {}):
        for amount in choice.amounts:
            for value in (amount.values[0] - 1, amount.values[0], amount.values[-1], amount.values[-1] + 1):
                wrong = list(GAME.setup_problems(range(1, players + 1), choice.usual | {amount.key: value}, {}))
                assert any(problem.blocking for problem in wrong) is (value not in amount.values), (amount.key, value)


@pytest.mark.parametrize("players", [0, 1, 26])
def test_nothing_is_offered_to_a_table_that_cannot_play(players):
    assert GAME.plan_choices(players, {}) == ()


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_everything_a_game_offers_can_be_played(game):
    for players in game.players:
        rules = {rule.key: rule.default for rule in game.house_rules}
        for choice in game.plan_choices(players, rules):
            for amount in choice.amounts:
                assert amount.usual in amount.values
                for value in amount.offered:
                    plan = choice.usual | {amount.key: value}
                    wrong = [p for p in game.setup_problems(range(1, players + 1), plan, rules) if p.blocking]
                    assert wrong == [], (players, plan)
                    table = game.open_table(range(1, players + 1), 1, plan, rules)
                    assert table.schedule
                    assert game.plan_remark(table) == ""
