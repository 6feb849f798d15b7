"""A learning path as a calendar (RFC 5545): an all-day event a step, as many days long as the pace makes it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from icalendar import Calendar, Event

from graph.exports.text import address, clean, title, topics
from graph.models import LearningPath, Pace, Step


def write(path: LearningPath, pace: Pace) -> bytes:
    """The calendar. The same path has the same event ids, so that importing it again moves the events."""
    start = pace.start or date.today()
    calendar = Calendar()
    calendar.add("prodid", "-//warpath//learning path//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", clean(path.goal))
    for step, first, end in _days(path, pace, start):
        calendar.add_component(_event(path, step, first, end, stamp=start))
    return bytes(calendar.to_ical())


def _days(path: LearningPath, pace: Pace, start: date) -> Iterator[tuple[Step, date, date]]:
    """Each step with its first day and the day after its last."""
    a_day = pace.hours_per_week * 60 / 7
    spent = 0
    for step in path.steps:
        first, spent = math.floor(spent / a_day), spent + step.minutes
        end = max(math.ceil(spent / a_day), first + 1)
        yield step, start + timedelta(days=first), start + timedelta(days=end)


def _event(path: LearningPath, step: Step, first: date, end: date, *, stamp: date) -> Event:
    event = Event()
    event.add("uid", f"{path.id}-{step.position}@warpath")
    event.add("dtstamp", datetime.combine(stamp, time(), UTC))
    event.add("dtstart", first)
    event.add("dtend", end)
    event.add("summary", f"{topics(step)}: {title(step)}")
    event.add(
        "description", "\n".join(filter(None, (f"{step.minutes} min", clean(step.reason), address(step.resource))))
    )
    event.add("transp", "TRANSPARENT")  # learning does not make the whole day busy
    return event
