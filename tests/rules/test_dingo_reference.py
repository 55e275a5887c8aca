"""Dingo where somebody's name is not at the table: what else is wrong is told all the same, and nothing that is not."""

import pytest

from tests.rules.test_dingo import codes, hand

NOBODY, PLAYED = "unknown-player", "Cy played"


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        pytest.param(hand(r7=": Zoe"), [NOBODY, "wolf-without-dingo"], id="2.4 a stranger's wolf, no dingo"),
        pytest.param(hand(r7=": Zoe Zoe"), [NOBODY, NOBODY, "wolf-without-dingo"], id="2.4 two of them, no dingo"),
        pytest.param(hand(r7="Ann: Ann Zoe"), [NOBODY, "dingo-player-wolf"], id="2.4 own wolf, then a stranger's"),
        pytest.param(hand(r7="Ann: Zoe Ann"), [NOBODY, "dingo-player-wolf"], id="2.4 a stranger's, then own wolf"),
        pytest.param(hand(r7="Zoe: Bo", held={"Cy": ["7"]}), [NOBODY, "heart-twice"], id="2.4 held, and a stranger's"),
        pytest.param(hand(r7="Zoe: Bo"), [NOBODY], id="2.4 a stranger's dingo is a dingo"),
        pytest.param(
            hand(r2="Zoe: Bo Bo", r3="Ann: Bo Bo", r4="Ann: Bo Bo", r5="Ann: Bo"), [NOBODY, "more-than-six"],
            id="2.4 the wolves of a stranger's dingo are cards",
        ),
        pytest.param(
            hand(r2="Ann: Bo Bo", r3="Ann: Bo Bo", r4="Ann: Bo Bo", r5="Ann: Bo Zoe"), [NOBODY, "more-than-six"],
            id="2.4 the wolf before a stranger's is a card",
        ),
        pytest.param(hand(aces="Di: Zoe Bo"), [NOBODY], id="2.4 a stranger's ace wolf is not missing"),
        pytest.param(hand(aces="Di: Ann Zoe", rabbit=PLAYED), [NOBODY], id="2.4 the rabbit may have been in time"),
        pytest.param(hand(aces="Zoe: Ann Bo", rabbit=PLAYED), [NOBODY], id="2.4 nobody knows whose turn it was"),
        pytest.param(hand(aces="Di: Zoe", rabbit=PLAYED), [NOBODY, "rabbit-too-early"], id="2.4 one wolf is too few"),
        pytest.param(hand(aces="Di: Zoe Cy", rabbit="Bo played"), [NOBODY, "rabbit-too-early"], id="2.4 turn is over"),
        pytest.param(hand(aces="Di", rabbit="Zoe played"), [NOBODY, "rabbit-too-early"], id="2.4 a stranger's rabbit"),
        pytest.param(hand(aces="Max: Ann", rabbit="Zoe kept"), [NOBODY, NOBODY], id="two strangers in the ace hunt"),
        pytest.param(hand(aces="Di: Bo Ann", rabbit="Zoe kept"), [NOBODY, "wolf-order"], id="2.4 order of ace wolves"),
        pytest.param(hand(aces="Di: Bo Bo Bo", rabbit="Zoe kept"), [NOBODY, "too-many-wolves"], id="2.4 three wolves"),
    ],
)  # fmt: skip
def test_name_of_nobody_hides_no_other_problem(played, expected):
    assert sorted(codes(played)) == sorted(expected)
