"""Play-offs against a reference that looks at every order that may still come out (Rule 14)."""

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.cards import RANKS
from rules.core.playoffs.cut import Final, cut, outcome, sizes_of_groups

FEW = st.integers(-2, 2)
sizes = st.integers(1, 6)


@st.composite
def groups(draw, most=6):
    """Scores of a group with many ties, the numbers of people in any order."""
    people = draw(st.permutations(range(1, draw(st.integers(1, most)) + 1)))
    return {player: draw(FEW) for player in people}


@st.composite
def settled_for(draw, scores):
    """Blind hands of everybody, rulings about some, draws of nobody in question."""
    some = st.dictionaries(st.sampled_from(sorted(scores)), FEW)
    everybody = st.fixed_dictionaries(dict.fromkeys(scores, FEW))
    return draw(st.lists(st.one_of(everybody, everybody, some), max_size=3))


class Reference:
    """Knows of each two people who is ahead, or nobody; and looks at all orders in which they may end."""

    def __init__(self, scores, places, below):
        self.people = sorted(scores)
        self.ahead = {(a, b) for a in scores for b in scores if scores[a] > scores[b]}
        self.places, self.below = places, below

    def fate(self, order, player):
        place, size = order.index(player), len(order)
        if place < self.places:
            return "through"
        return "below" if self.below is None or place >= size - self.below else "out"

    def fates(self):
        """What may still become of each."""
        orders = [
            order for order in permutations(self.people)
            if not any((b, a) in self.ahead for i, a in enumerate(order) for b in order[i + 1 :])
        ]  # fmt: skip
        return {player: {self.fate(order, player) for order in orders} for player in self.people}

    def equals(self, player):
        return {b for b in self.people if (player, b) not in self.ahead and (b, player) not in self.ahead}

    def hears(self, brought):
        """Who is in question is ranked by what was brought, where all who are equal to them brought something."""
        fates = self.fates()
        told = {p for p in self.people if len(fates[p]) > 1 and self.equals(p) <= brought.keys()}
        self.ahead |= {(a, b) for a in told for b in self.equals(a) if brought[a] > brought[b]}


@given(st.data(), groups())
@settings(max_examples=300, deadline=None)
def test_cut_is_what_is_certain_in_every_order_that_may_come_out(data, scores):
    places = data.draw(st.integers(0, len(scores)))
    below = data.draw(st.none() | st.integers(0, len(scores) - places))
    settled = data.draw(settled_for(scores))
    reference = Reference(scores, places, below)
    for brought in settled:
        reference.hears(brought)
    found, fates = cut(scores, places, below, settled), reference.fates()
    for fate, players in (("through", found.through), ("below", found.below), ("out", found.out)):
        assert sorted(players) == [player for player in reference.people if fates[player] == {fate}]
    assert {p for tie in found.ties for p in tie.players} == {p for p, some in fates.items() if len(some) > 1}
    for tie in found.ties:
        assert 0 < tie.places < len(tie.players)
        assert all(tie.edge in fates[player] for player in tie.players)


@given(st.data(), groups(most=12))
def test_everybody_is_sent_somewhere_or_asked_for(data, scores):
    places, below = data.draw(st.integers(-1, 14)), data.draw(st.none() | st.integers(-1, 14))
    found = cut(scores, places, below, data.draw(settled_for(scores)))
    tied = {player for tie in found.ties for player in tie.players}
    assert sorted([*found.through, *found.below, *found.out, *tied]) == sorted(scores)
    assert found.is_settled == (not tied)


@given(st.data(), groups(most=12))
def test_settled_group_sends_on_exactly_as_many_as_were_agreed(data, scores):
    size = len(scores)
    places = data.draw(st.integers(0, size))
    below = data.draw(st.none() | st.integers(0, size - places))
    settled = []
    while (found := cut(scores, places, below, settled)).ties:
        before = {tie.players for tie in found.ties}
        settled.append({player: data.draw(st.integers(0, 3)) for tie in found.ties for player in tie.players})
        # Not to play on for ever: the first of them gets ahead.
        settled[-1][next(iter(before))[0]] = 4
    lowest = size - places if below is None else below
    assert [len(found.through), len(found.below), len(found.out)] == [places, lowest, size - places - lowest]
    assert all(scores[a] >= scores[b] for a in found.through for b in (*found.below, *found.out))
    assert all(scores[a] >= scores[b] for a in found.out for b in found.below)


@given(st.data(), groups(most=10))
def test_cut_does_not_depend_on_the_order_of_the_seats(data, scores):
    other = {player: scores[player] for player in data.draw(st.permutations(list(scores)))}
    places, below, settled = data.draw(st.integers(0, 10)), data.draw(st.none() | st.integers(0, 10)), []
    if data.draw(st.booleans()):
        settled = data.draw(settled_for(scores))
    assert as_sets(cut(scores, places, below, settled)) == as_sets(cut(other, places, below, settled))


def as_sets(found):
    ties = {(tie.edge, frozenset(tie.players), tie.places) for tie in found.ties}
    return set(found.through), set(found.below), set(found.out), ties


@given(st.integers(1, 400), st.data())
def test_groups_seat_everybody_as_even_as_possible(players, data):
    most = data.draw(st.integers(1, 30))
    groups = data.draw(st.none() | st.integers(1, players))
    sizes = sizes_of_groups(players, groups, most=most)
    assert sum(sizes) == players
    assert max(sizes) - min(sizes) <= 1
    assert list(sizes) == sorted(sizes, reverse=True)
    if groups is None:
        assert max(sizes) <= most
        assert (len(sizes) - 1) * most < players, "the fewest"
    else:
        assert len(sizes) == groups


# The finals


@st.composite
def finals(draw, first=1, least=1):
    """A table after its last hand: the lead settled among its highest, or not."""
    people = range(first, first + draw(st.integers(least, 5)))
    totals = {player: draw(FEW) for player in people}
    top = [player for player, total in totals.items() if total == max(totals.values())]
    lead = draw(st.sampled_from([tuple(top), (top[0],), (top[-1],)]))
    gone = {first + 50: draw(st.integers(-3, 3))} if draw(st.booleans()) else {}
    return Final(totals, lead, gone)


def may_lose(winner, winners, losers):
    """Who may take the loser's trophy if that is the winner, read word by word from Rule 14."""
    at_winners = {**winners.totals, **winners.gone}
    rest = {player: total for player, total in at_winners.items() if player != winner}
    lowest_there = {p for p, total in rest.items() if total <= min(at_winners.values())}
    if losers is None:
        return lowest_there
    at_losers = {**losers.totals, **losers.gone}
    everybody_there_is_above = all(total > low for total in at_losers.values() for low in [min(at_winners.values())])
    if everybody_there_is_above and lowest_there:
        return lowest_there
    return {player for player, total in at_losers.items() if all(total <= other for other in at_losers.values())}


@given(finals(), st.none() | finals(first=10))
@settings(max_examples=400)
def test_trophies_are_what_every_winner_still_possible_would_leave(winners, losers):
    found = outcome(winners, losers)
    possible = [may_lose(winner, winners, losers) for winner in winners.lead]
    agreed = possible[0] if all(some == possible[0] for some in possible) else set()
    assert found.winner == (winners.lead[0] if len(winners.lead) == 1 else None)
    assert found.loser == (next(iter(agreed)) if len(agreed) == 1 else None)
    assert set(found.draw) == (agreed if len(agreed) > 1 else set())
    there = winners.totals.keys() | winners.gone.keys()
    assert found.crossed is (None if losers is None else any(some & there for some in possible))


@given(finals(), st.none() | finals(first=10), st.data())
def test_draws_end_with_one_loser_who_is_not_the_winner(winners, losers, data):
    draws = []
    while due := outcome(winners, losers, draws).draw:
        drawn = {player: data.draw(st.sampled_from(RANKS[:3] if len(draws) < 3 else RANKS)) for player in due}
        if len(draws) > 5:
            drawn = dict(zip(due, RANKS, strict=False))
        draws.append(drawn)
        still = set(outcome(winners, losers, draws).draw)
        lowest = {p for p, rank in drawn.items() if RANKS.index(rank) == min(map(RANKS.index, drawn.values()))}
        assert still == (lowest if len(lowest) > 1 else set())
    found = outcome(winners, losers, draws)
    assert found.winner is None or found.winner != found.loser
    assert found.winner not in found.runners_up


@given(st.data(), finals(), finals(first=10))
def test_trophies_do_not_depend_on_the_order_round_the_tables(data, winners, losers):
    def shuffled(final):
        order = data.draw(st.permutations(list(final.totals)))
        return Final({player: final.totals[player] for player in order}, final.lead[::-1], final.gone)

    one, other = outcome(winners, losers), outcome(shuffled(winners), shuffled(losers))
    assert (one.winner, one.loser, one.crossed) == (other.winner, other.loser, other.crossed)
    assert (set(one.draw), set(one.runners_up)) == (set(other.draw), set(other.runners_up))
