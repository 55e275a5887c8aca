"""The log of a sheet: entries that are only added or withdrawn, and the state they result in.

`append` is the only way to write, `state` the only way to read. Stands on the models and on the rules. Begin with
`append`.

Everything that belongs to a sheet and to no hand is at hand 0: the set-up (with the title, of which the sheet's row
has a copy), carried totals, blind hands (`tie-1-bid-3`), draws. So the address of a blind hand does not depend on the
number of planned hands, and the set-up has a history. Events of one hand are counted together (`arrive-1`, `leave-2`,
`misdeal-3`), because their order matters.

The last state of a sheet stays in memory, so that hand 20 costs what hand 1 does. It is trusted only under the lock of
the sheet and after the very write it was made with. `prepared` compiles the SQL of each tap once, because Django takes
several times as long to compile a query as SQLite to answer it: without it a post took 3 times a bare INSERT, and 2.5
is the limit. Its statements take 0.3 ms of processor a post, with the plain ORM 1.7 ms. Rows written with it send no
signals. If you build a `SheetReading`, give it the aliases (`aliases_of`).
"""
