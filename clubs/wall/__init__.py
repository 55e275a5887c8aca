"""The wall: one page of a night for a big screen in the room, which follows by itself.

Stands on evening, play-off page, standings and trophies. Begin with `wall`.

The server says what there is to see, view by view; `static/js/pages/wall.js` decides how much of it fits on the screen
at once, and shows one view after the other. The mark of the page changes every minute, so that times and what no mark
of a night tells (standings, trophies, answers of the roll call) are never older.
"""
