"""Entries in words, in which each number links to the form that corrects it."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.fields import Address
from scoresheets.corrections.correct import OpenedRow, opened_row, part_of
from scoresheets.corrections.links import correction_link
from scoresheets.fields.layout import seat_of
from scoresheets.log.state import SheetReading
from scoresheets.wording.entry_text import EntryText


class LinkedEntryText(EntryText):
    """The words of the history, for those who may correct the sheet."""

    def __init__(self, reading: SheetReading) -> None:
        super().__init__(reading)
        self.rows: dict[str, OpenedRow | None] = {}

    def linked(self, address: Address, name: str, shown: SafeString) -> SafeString:
        """A link to the form of the row, as long as something stands at that place."""
        part = part_of(address)
        if address not in self.reading.standing:
            return shown
        if part not in self.rows:
            self.rows[part] = opened_row(self.reading, part)
        row = self.rows[part]
        ask = row.ask(address) if row else None
        field = next((field for field in ask.fields if field.name == name), None) if ask else None
        if ask is None or field is None:
            return shown
        seat = ask.seat if ask.seat is not None else seat_of(field)
        link = correction_link(self.reading.record.code, part, "history", seat=seat, ask=ask.name)
        return format_html('<a href="{}">{}</a>', link, shown)
