"""Members of a club: players and identities, roles, privacy, merging records, and what is held about a person.

Stands on access. Begin with `people`, and with `identity` for who a player is.

Count people by `member.main_record`: `same_as` is the record that counts, resolved when reading, so that a merge can
be undone; `joined_to` is the link that was made. An account belongs to a club by `Member.objects.of_account`, which
follows merges.

A hidden name is looked up, never written: pages show `player.called` and `member.shown`; only organisers see
`member.called`. Code that makes a member known as another player calls `privacy.cover`. Each sheet has its own aliases.
A club changes names on its own sheets (`people.own_sheets`) and of its own players (`people.own_players`); it has no
right over people it only matched. Codes for guests are made from the secret of the site and the `uid` of the row.
"""
