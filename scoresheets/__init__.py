"""Score sheets: players, sheets, seats and entries, and the pages of scorekeepers and watchers.

Its packages from the bottom up: `models`; `log`, the entries of a sheet and its state; `caches`; `wording`, sentences;
`access`, who may write; `results`; `fields`; `opening`; `sheet`; `commands`; `paper`; `roster`; `files`; `corrections`;
`pad`; `history`; `templatetags`; `views`. It stands on `rules` and knows no club: it asks one by signals, which
`clubs.apps` connects. Begin with `log.append` and `log.state`.
"""
