"""Sheets and play-offs as JSON files: strict reading with all problems, and writing.

It stands on the engine, the play-offs and ``Game``; the games stand on it with their own file formats. Begin with
``score.score_paper``, which is ``manage.py score``: text in, result out. Below it, each standing only on those before:

* ``schema`` (JSON and its shapes) and ``group_keys`` (what a group of a play-off says);
* ``reader`` (what has been read so far), ``items`` (one item of ``hands``) and ``game_file`` (how a game stands in a
  file: the default, and what a game overrides);
* ``known_games``, ``results`` (``score-result/1``), ``sheet_file`` (``score-sheet/1``) and ``writer``;
* ``table_reader`` and ``play_off_file`` (``play-off/1``);
* ``json_schema`` (all these formats described for others, made of the same shapes).
"""
