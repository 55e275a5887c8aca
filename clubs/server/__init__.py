"""The processes of the running site: the server, its supervisor, its watchdog, and the limits of requests.

Stands on everything below the pages. Begin with `rsgi`; `startup` is what is done before the site opens.

`manage.py serve` is the supervisor, and loads nothing of the site. One process below it gets the site ready and serves
it: with one for each, Django was loaded twice at every start, for 0.8 of 2.5 seconds. Where getting ready changed
something, that process begins anew, so that the workers do not carry what a migration or the demo took.

Granian's event loop reads each body whole, and two threads a worker run the WSGI application: one for what only reads,
one for what writes, because who writes may have to wait for a lock. A poll costs 0.04 ms more than with granian's own
WSGI; 200 posts that stall delay nobody. A supervisor starts the server again, because granian
ends for good if a worker ends twice within seconds. A worker that is stuck ends itself; no visitor may be able to cause
that. `loaded` freezes what was loaded (`gc.freeze`): else the garbage collector walks through all of Django in the
middle of a page, which cost the first look at a long sheet a tenth of a second.

On Linux the server loads the site, with all templates, before it forks the workers (`workers`). They share that memory:
with 750 connections each, two workers and the server take 195 MiB, of which each worker has 73. When each loaded the
site itself, a worker had 99 (PSS, November 2026). Whoever changes the code starts the server again; SIGHUP only forks
new workers.
"""
