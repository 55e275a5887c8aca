"""Template tags for the pages of a table, and everything that the template of a game can use.

Stands on pad and sheet. Begin with `pad`, which describes each tag of a game's page.

The server renders a place for every ask of a hand once. `static/js/pad/prompts.js` shows the one that is due, hides the
others and fills in what was written, also without network. Every form works without a script::

    {% extends layout|default:"scoresheets/pad/prompts.html" %}
    {% load pad static %}
    {% block asks %}
        <section data-ask="claim" aria-label="The claim">
            <form method="post" action="{{ urls.enter }}" class="ask">{% ask "claim" %} ... </form>
        </section>
    {% endblock asks %}

Blocks of the pad: `game_css`, `game_scripts`, `facts` (who deals), `scores`, `around` (always in sight), `asks`. Blocks
for other pages: `print` (the running sheet, also on paper), `watch`, `watch_scripts`. In the context: `face` (`rows`,
`seats`, `hand`, `page` with the tables of `Game.look_up`), `game`, `pad`, `reading`, `urls`. What the page needs of the
game itself, such as its deck, is an attribute of the game. `look_up` may have `shown`: what `Game.shows` says of each
value of an ask, for a page without network.

A game with many asks puts `{% only_in_front "claim" %} ... {% endonly_in_front %}` around each section, so that a slow
phone has only one of them to lay out.

Controls are called `f-<field>`. A submit button sends all of them that have a value and can be seen. Hide what a case
does not ask with CSS (`:has(:checked)`): it is then not sent. On a control:

* `data-sends`: choosing it sends the form as soon as nothing is missing.
* `data-needed`: it is missing while it can be seen and has no value (add `required` for pages without a script).
* `data-says="..."`: the words for a tap that is not sent yet, instead of the label; on a form: for an empty answer.
* `data-plain`: only for pages without a script.

Anywhere:

* `data-when`, `data-unless`: shown or hidden on `answered <ask>`, `due <ask>`, `shows <name>`, `wrote <ask> <field>`,
  `wrote <ask> <field> <value>`, `deals <seat>`, `leads <seat>`.
* `data-again="<ask>"` with `href="?again=<ask>"`: "I typed it wrong"; a post there replaces the entry; "" cancels.
* `data-counts`, `data-comes-to="17"`: steppers with `data-fewer` and `data-more` (`static/js/pad/counts.js`); the last
  count that nobody touched fills in by itself. In it `data-at-most`, `data-at-least`, `data-starts`; `data-signed`
  where numbers may be below 0, with a button `data-sign` (±) beside each.
* `data-minutes`: on the form of an event, for how long it goes on.

Widgets that a game loads in `game_scripts`, each described at the top of its file in `static/js/widgets/`:
`ordered_picks.js` (`data-picks`), `exclusive_sums.js` (`data-agrees`), `payout.js` (`data-pays`).
"""
