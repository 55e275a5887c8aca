"""What `make trust` tries, and what the site promises."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Promise:
    """A row of the table: what is tried, and what is promised.

    `elsewhere` says why a database has nothing to try.
    """

    number: int
    tried: str
    promised: str
    elsewhere: str = "not tried"


PROMISES = (
    Promise(
        1,
        "All processes are killed at random moments, also between the end of a game and what follows from it",
        "No post that was answered is missing or doubled, standings and trophies are right, it answers again in 2 s",
    ),
    Promise(
        2,
        "The power fails after any write, also in a checkpoint and in a migration",
        "No post that was answered is lost, no database is corrupt",
    ),
    Promise(
        3,
        "Two scorekeepers write the same hand; one tap comes 20 times, after a restart, a day later, changed",
        "One stands and the other is told; one row, the same answer; 422 for the changed one; never a 5xx",
    ),
    Promise(
        4,
        "A phone is offline for 10 minutes: answers lost, random order, a closed tab, two tabs",
        "The sheet equals the one that was kept online",
    ),
    Promise(
        5,
        "The disk is full at any byte, or takes no write; the database is locked, or PostgreSQL is killed; connections"
        " are stale",
        "503 with a sentence and Retry-After; what was typed stays; reading goes on, after seconds where PostgreSQL has"
        " to restart because it cannot write its log; it recovers by itself; nothing answered is lost",
    ),
    Promise(
        6,
        "Broken requests: huge integers, NUL, surrogates, 10 MB names, wrong hands, seats, games, methods",
        "No 5xx, and a refusal changes nothing",
    ),
    Promise(
        7,
        "200 injections in every name, title, note and file, wherever they are shown",
        "They are text everywhere, formulas do nothing, the security policy is never violated",
    ),
    Promise(
        8,
        "Files that lie: zip and XML bombs, a million rows, cycles, foreign ids, deep JSON, false types",
        "Refused within 2 s and 200 MiB, and nothing is written",
    ),
    Promise(
        9,
        "Every address with every method in twelve roles, from an outsider to a program with a revoked key",
        "Only what the table in tests/ allows; what members alone may see looks like what does not exist",
    ),
    Promise(
        10,
        "A million random links, neighbours of good ones, revoked ones; codes and passwords guessed from many networks",
        "None is found, guessing is slowed down, the owner still gets in, no secret is in a log, a Referer or a cache",
    ),
    Promise(
        11,
        "One hostile guest under the limits of a new site: 200 connections, slow bodies, slow reads, the dearest pages,"
        " 10,000 sheets",
        "Posts of others take at most 3 times as long, disk and memory stay bounded, the owner is told",
    ),
    Promise(
        12,
        "A backup of a club under load, restored on an empty machine; an old one while phones have newer entries",
        "Every row is as it was at that moment; what phones have is sent again or shown as a conflict",
    ),
    Promise(
        13,
        "A migration of 10,000 games is killed at random moments; the version before last is upgraded",
        "Old or new, never between; the next run finishes it",
    ),
    Promise(
        14,
        "The site's clock jumps by an hour or changes for summer time, those of phones are 10 minutes off; New Year,"
        " 29 February",
        "Order by version, no negative time, the right days",
    ),
    Promise(
        15,
        "500 watchers and 20 tables for 30 minutes; workers restart 50 times under load",
        "Memory grows less than 5 %, p95 at the end is at most 1.2 times that of the start, no post fails twice",
    ),
    Promise(
        16,
        "Every kind of page in ten years of data: 60 of each as an organiser, six of each in six other roles",
        "No 5xx and no dead link",
    ),
    Promise(
        17,
        "Two sites before one database: written through one, read through the other; either is killed",
        "Never stale after an answer, nothing lost",
    ),
    Promise(
        18,
        "Packages with known faults, `check --deploy`, headers, the requirements of ASVS 5.0",
        "None that is open; every requirement has its test or its reason",
        elsewhere="asks no database",
    ),
)
