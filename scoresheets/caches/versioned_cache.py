"""The cache in the memory of a process: values by key, each for one version of its source."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class VersionedCache(Generic[Value]):
    """Values whose sizes come to at most `most` together; the least recently used goes first.

    A value larger than that is not kept. One value a key: a later version replaces the earlier one. What follows from
    its key alone has the version None.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self.lock = Lock()
        self.values: OrderedDict[Hashable, tuple[Hashable, int, Value]] = OrderedDict()

    def __len__(self) -> int:
        return len(self.values)

    def get(self, key: Hashable, version: Hashable = None) -> Value | None:
        """The value of that version, or None."""
        with self.lock:
            return self.current(key, version)

    def put(self, key: Hashable, value: Value, *, version: Hashable = None, size: int = 1) -> None:
        with self.lock:
            self.keep(key, value, version, size)

    def get_or_make(
        self, key: Hashable, version: Hashable, make: Callable[[], Value], size: Callable[[Value], int]
    ) -> Value:  # fmt: skip
        """The value of that version, made now where it is not there; `size` tells its size.

        It is made inside of the lock: a second thread that wants the same waits for it instead of doing it again.
        """
        with self.lock:
            value = self.current(key, version)
            if value is None:
                value = make()
                self.keep(key, value, version, size(value))
            return value

    def forget(self, key: Hashable) -> None:
        """Keep no value of that key, of any version."""
        with self.lock:
            self.drop(key)

    def clear(self) -> None:
        with self.lock:
            self.values.clear()
            self.size = 0

    # The lock is held.

    def current(self, key: Hashable, version: Hashable) -> Value | None:
        of_version, _, value = self.values.get(key, (None, 0, None))
        if value is None or of_version != version:
            return None
        self.values.move_to_end(key)
        return value

    def keep(self, key: Hashable, value: Value, version: Hashable, size: int) -> None:
        self.drop(key)
        if size > self.most:
            return
        self.values[key] = (version, size, value)
        self.size += size
        while self.size > self.most:
            self.drop(next(iter(self.values)))

    def drop(self, key: Hashable) -> None:
        _, size, _ = self.values.pop(key, (None, 0, None))
        self.size -= size
