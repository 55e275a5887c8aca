"""A cache in the memory of one process, bounded by the size of its values. What was not needed longest goes first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class SizedCache(Generic[Value]):
    """Values by key, whose sizes come to at most `most` together. A value larger than that is not kept."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self.lock = Lock()
        self.values: OrderedDict[Hashable, tuple[int, Value]] = OrderedDict()

    def __len__(self) -> int:
        return len(self.values)

    def get(self, key: Hashable) -> Value | None:
        with self.lock:
            kept = self.values.get(key)
            if kept is None:
                return None
            self.values.move_to_end(key)
            return kept[1]

    def put(self, key: Hashable, value: Value, size: int) -> None:
        with self.lock:
            self.drop(key)
            if size > self.most:
                return
            self.values[key] = (size, value)
            self.size += size
            while self.size > self.most:
                self.drop(next(iter(self.values)))

    def drop(self, key: Hashable) -> None:
        """Forget a value; the lock is held."""
        size, _ = self.values.pop(key, (0, None))
        self.size -= size

    def clear(self) -> None:
        with self.lock:
            self.values.clear()
            self.size = 0
