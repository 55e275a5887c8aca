"""What programs write to a disk, recorded by strace, and the disk as a power cut leaves it.

The disk that is replayed keeps what a finished sync has promised, and no more: of every file anything written since may
be there, or not, or in part (by sectors). Names behave as in a file system with a journal: those made, moved or removed
since the last sync are there up to some point, in order.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SECTOR = 512
LINE = re.compile(r"^([\d.]+) (\w+)\((.*)\) += (-?\d+)(?:<([^>]*)>)?[^<]*<([\d.]+)>$")
FILE = re.compile(r"(?:(\d+)|AT_FDCWD)<([^>]*)>(\(deleted\))?")
STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass
class Call:
    """A call that changes a file, or makes sure that it is kept: begun `at`, `done` then (seconds since 1970)."""

    at: float
    done: float
    kind: str
    path: str
    offset: int = 0
    data: bytes = b""
    #: The new path of what is renamed.
    to: str = ""


def recorded(folder: Path, below: Path) -> list[Call]:
    """The calls that concern files below a path, in the order in which they began."""
    calls = [call for file in sorted(folder.glob("calls.*")) for call in calls_of(file, str(below))]
    return sorted(calls, key=lambda call: call.at)


def calls_of(file: Path, below: str) -> Iterator[Call]:
    """Those of one thread. A plain `write` goes on where the one before ended."""
    ends: dict[str, int] = {}
    hidden = "".join(f"\\x{byte:02x}" for byte in below.encode())
    with file.open(errors="replace") as lines:
        for line in lines:
            if hidden in line and (found := LINE.match(line)):
                at, name, words, answer, opened, seconds = found.groups()
                if int(answer) >= 0:
                    call = call_of(name, words, int(answer), plain(opened or ""), ends)
                    if call and call.path.startswith(below):
                        call.at, call.done = float(at), float(at) + float(seconds)
                        yield call


def call_of(name: str, words: str, answer: int, opened: str, ends: dict[str, int]) -> Call | None:
    """One line of strace. None for what changes nothing."""
    strings = [bytes.fromhex(text.replace("\\x", "")) for text in STRING.findall(words)]
    if name in ("openat", "creat"):
        ends.pop(opened, None)
        if "O_TRUNC" in words or name == "creat":
            return Call(0, 0, "empty", opened)
        return Call(0, 0, "create", opened) if "O_CREAT" in words else None
    if name in ("unlink", "unlinkat"):
        return Call(0, 0, "remove", joined(words, strings, 0))
    if name.startswith("rename"):
        return Call(0, 0, "rename", joined(words, strings, 0), to=joined(words, strings, 1))
    file = FILE.match(words)
    if file is None or file[3]:
        return None
    path = plain(file[2])
    if name in ("fsync", "fdatasync"):
        return Call(0, 0, "sync", path)
    if name == "ftruncate":
        return Call(0, 0, "cut", path, offset=int(words.rsplit(",", 1)[1]))
    data = b"".join(strings)[:answer]
    if name == "write":
        begin = ends.get(path, 0)
        ends[path] = begin + answer
    else:
        begin = int(words.rsplit(",", 1)[1])
    return Call(0, 0, "write", path, offset=begin, data=data)


def plain(text: str) -> str:
    """A path as it is called."""
    return re.sub(r"(?:\\x[0-9a-f]{2})+", lambda found: bytes.fromhex(found[0].replace("\\x", "")).decode(), text)


def joined(words: str, strings: Sequence[bytes], number: int) -> str:
    """The path of that number in a call, whole."""
    folders = [plain(found[2]) for found in FILE.finditer(words)]
    path = Path(strings[number].decode())
    return str(Path(folders[min(number, len(folders) - 1)], path) if folders else path)


@dataclass
class File:
    """The content of a file that is surely there, and the calls since."""

    kept: bytearray = field(default_factory=bytearray)
    since: list[Call] = field(default_factory=list)

    def sync(self, begun: float) -> None:
        """All that was done before this is kept from now on."""
        for call in self.since:
            if call.done <= begun:
                change(self.kept, call)
        self.since = [call for call in self.since if call.done > begun]

    def after_a_cut(self, dice: random.Random) -> bytearray:
        """What may be there: of each call since the last sync all, nothing, or some sectors."""
        found = bytearray(self.kept)
        for call in self.since:
            fate = dice.random()
            if fate < 0.4:
                change(found, call)
            elif fate < 0.6 and call.kind == "write":
                for begin in range(0, len(call.data), SECTOR):
                    if dice.random() < 0.5:
                        change(found, Call(0, 0, "write", "", call.offset + begin, call.data[begin : begin + SECTOR]))
        return found


def change(content: bytearray, call: Call) -> None:
    """Do to a file what a call did."""
    if call.kind == "write":
        content.extend(bytes(max(0, call.offset - len(content))))
        content[call.offset : call.offset + len(call.data)] = call.data
    elif call.kind == "cut":
        del content[call.offset :]
        content.extend(bytes(max(0, call.offset - len(content))))
    elif call.kind == "empty":
        content.clear()


class Disk:
    """The files below a folder: as they were before the recording, and after each call that it is told of."""

    def __init__(self, below: Path) -> None:
        self.below = below
        self.folders = [path.relative_to(below) for path in below.rglob("*") if path.is_dir()]
        files = [path for path in below.rglob("*") if path.is_file()]
        #: By path: what surely has that name, and what has it now.
        self.kept = {str(path): File(bytearray(path.read_bytes())) for path in files}
        self.now = dict(self.kept)
        self.names: list[Call] = []
        self.made: dict[int, File] = {}

    def see(self, call: Call) -> None:
        """A call has been made; a sync, that it is done."""
        if call.kind == "sync":
            for name in self.names:
                self.name(self.kept, name)
            self.names.clear()
            if file := self.now.get(call.path):
                file.sync(call.at)
            return
        if call.kind in ("create", "empty") and call.path not in self.now:
            self.made[id(call)] = File()
        if id(call) in self.made or call.kind in ("remove", "rename"):
            self.name(self.now, call)
            self.names.append(call)
        if call.kind in ("write", "cut", "empty") and call.path in self.now:
            self.now[call.path].since.append(call)

    def name(self, names: dict[str, File], call: Call) -> None:
        """Make, remove or rename a file."""
        if call.kind == "remove":
            names.pop(call.path, None)
        elif call.kind == "rename":
            if file := names.pop(call.path, None):
                names[call.to] = file
        else:
            names[call.path] = self.made[id(call)]

    def after_a_cut(self, to: Path, dice: random.Random) -> None:
        """Write into a folder what may be on the disk if the power fails now."""
        for folder in (Path(), *self.folders):
            (to / folder).mkdir(parents=True)
        names = dict(self.kept)
        for call in self.names[: dice.randint(0, len(self.names))]:
            self.name(names, call)
        for path, file in names.items():
            target = to / Path(path).relative_to(self.below)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.after_a_cut(dice))


def cuts(disk: Disk, calls: Sequence[Call], number: int, to: Path, dice: random.Random) -> Iterator[tuple[float, Path]]:
    """So many power cuts at random calls: the moment of each, and the folder with what is left."""
    # A write counts from when it begins, a sync from when it is done.
    moments = sorted((call.done if call.kind == "sync" else call.at, at) for at, call in enumerate(calls))
    chosen = sorted(dice.sample(range(len(moments)), min(number, len(moments))))
    seen = 0
    for count, place in enumerate(chosen):
        for _, at in moments[seen : place + 1]:
            disk.see(calls[at])
        seen = place + 1
        folder = to / f"cut-{count}"
        disk.after_a_cut(folder, dice)
        yield moments[place][0], folder
        shutil.rmtree(folder, ignore_errors=True)
