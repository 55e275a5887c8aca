"""The outbox: events of a club that people and programs hear of, and the thread that delivers them.

Stands on the models. `announce` writes an event in the transaction in which it happens, and nothing more: a post never
waits for a receiver. After the commit the worker's thread expands it into deliveries, one for each receiver, and tries
each until it is delivered or given up. Both are rows, so a restart loses nothing; after a crash a receiver may hear of
something twice. What is sent to whom, and how, is said by the channels (`clubs.webhooks`, `clubs.notices`). Begin with
`events`. What goes to other sites over HTTP goes through `http_post`, which refuses what `own_network` knows. What was
given up is told to the owner (`given_up`).
"""
