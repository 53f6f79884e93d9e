"""Sessions and planned evenings as a calendar that other programs subscribe to (iCalendar, RFC 5545 and RFC 7986).

Terms: an *event* is a session on its day, without a time of day, or a planned evening from its hour on. Promises: the
same events give the same bytes, so that a digest of them can be compared; an event keeps its `uid`, and one that was
called off stays as cancelled, for programs would keep one that merely vanished. Never: knows where the feed is read.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from icalendar import Alarm, Calendar
from icalendar import Event as ComponentEvent

MEDIA_TYPE = "text/calendar"
_PRODUCT = "-//Tischliga//Sessions//EN"
# How long a planned evening is shown to last: longer than most, so that nothing else is put right behind it.
_EVENING = timedelta(hours=4)
_REMINDED = timedelta(days=-1)
# How often a program should ask again.
_REFRESH = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Event:
    """A session: `changes` counts them from 0, `changed_at` is when the last one was made (aware).

    A planned evening has `starts_at` (aware), a `reminder` of a day before unless that is "", and is `tentative` where
    it is not settled that the reader comes; `busy` is who does.
    """

    uid: str
    day: date
    summary: str
    description: str
    location: str
    url: str
    created_at: datetime
    changed_at: datetime
    changes: int
    cancelled: bool
    starts_at: datetime | None = None
    reminder: str = ""
    tentative: bool = False
    busy: bool = False


def feed(name: str, events: Iterable[Event]) -> bytes:
    """A calendar of this name; lines folded and text escaped as RFC 5545 says."""
    calendar = Calendar()
    calendar.add("prodid", _PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)  # what most programs read
    calendar.add("refresh-interval", _REFRESH, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for one in events:
        event = ComponentEvent()
        event.add("uid", one.uid)
        event.add("dtstamp", one.changed_at)
        event.add("created", one.created_at)
        event.add("last-modified", one.changed_at)
        event.add("sequence", one.changes)
        event.add("dtstart", one.day if one.starts_at is None else one.starts_at.astimezone(UTC))
        if one.starts_at is not None:
            event.add("duration", _EVENING)
        event.add("summary", one.summary)
        event.add("status", "CANCELLED" if one.cancelled else "TENTATIVE" if one.tentative else "CONFIRMED")
        # A card evening of a club says nothing of who is busy that day.
        event.add("transp", "OPAQUE" if one.busy else "TRANSPARENT")
        for key, text in (("description", one.description), ("location", one.location), ("url", one.url)):
            if text:
                event.add(key, text)
        if one.reminder and not one.cancelled:
            alarm = Alarm()
            alarm.add("action", "DISPLAY")
            alarm.add("description", one.reminder)
            alarm.add("trigger", _REMINDED)
            event.add_component(alarm)
        calendar.add_component(event)
    return bytes(calendar.to_ical())
