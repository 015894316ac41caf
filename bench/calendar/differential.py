#!/usr/bin/env python3
"""Works the plans of knot-calendar-bench out again with python-dateutil and zoneinfo, and lists every difference.

usage: knot-calendar-bench COUNT SEED | differential.py RESULT.json SEED
"""
import datetime as dt
import hashlib
import json
import platform
import sys
import zoneinfo
from collections import Counter
from functools import lru_cache

import dateutil
from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN, easter
from dateutil.rrule import MO, SU, TH, YEARLY, rrule

DAY = dt.timedelta(days=1)
ZONES = {}


def zone(name):
    if name not in ZONES:
        ZONES[name] = zoneinfo.ZoneInfo(name)
    return ZONES[name]


def by_rule(start, end, **parts):
    first = dt.datetime(start.year, start.month, start.day)
    return [d.date() for d in rrule(YEARLY, dtstart=first, until=dt.datetime(end.year, end.month, end.day), **parts)]


def by_easter(start, end, shift, kind):
    days = [easter(year, kind) + shift * DAY for year in range(start.year, end.year + 1)]
    return [day for day in days if start <= day <= end]


ORTHODOX = {"GR"}


def occurrences(name, stored, once, country, leap, start, end):
    """The milestone's days from start to end, both included."""
    if once:
        return [stored] if start <= stored <= end else []
    if name == "Mother's Day":
        if country == "GB":
            return by_easter(start, end, -21, EASTER_WESTERN)
        if country == "FR":
            found = by_rule(dt.date(start.year, 1, 1), end, bymonth=5, byweekday=SU(-1))
            moved = [d + 7 * DAY if d == easter(d.year) + 49 * DAY else d for d in found]
            return [d for d in moved if start <= d <= end]
        if country == "NO":
            return by_rule(start, end, bymonth=2, byweekday=SU(2))
        if country == "MX":
            return by_rule(start, end, bymonth=5, bymonthday=10)
        return by_rule(start, end, bymonth=5, byweekday=SU(2))
    if name == "Father's Day":
        if country == "AU":
            return by_rule(start, end, bymonth=9, byweekday=SU(1))
        if country == "NO":
            return by_rule(start, end, bymonth=11, byweekday=SU(2))
        if country == "DE":
            return by_easter(start, end, 39, EASTER_WESTERN)
        return by_rule(start, end, bymonth=6, byweekday=SU(3))
    if name == "Easter":
        return by_easter(start, end, 0, EASTER_ORTHODOX if country in ORTHODOX else EASTER_WESTERN)
    if name == "Orthodox Easter":
        return by_easter(start, end, 0, EASTER_ORTHODOX)
    if name == "Thanksgiving" and country == "US":
        return by_rule(start, end, bymonth=11, byweekday=TH(4))
    if name == "Thanksgiving" and country == "CA":
        return by_rule(start, end, bymonth=10, byweekday=MO(2))
    if (stored.month, stored.day) == (2, 29):
        if leap == "feb28":
            return by_rule(start, end, bymonth=2, bymonthday=-1)
        if leap == "mar1":
            return by_rule(start, end, byyearday=60)
    return by_rule(start, end, bymonth=stored.month, bymonthday=stored.day)


def is_quiet(hour, start, end):
    return start <= hour < end if start <= end else hour >= start or hour < end


def stretches(seconds):
    """Ranges of moments that follow one another, in seconds since 1970."""
    ranges = []
    for second in seconds:
        if ranges and ranges[-1][1] == second:
            ranges[-1][1] = second + 60
        else:
            ranges.append([second, second + 60])
    return ranges


def spans(day, tz, start, end):
    """The allowed stretches of a local day, found by asking the clock, minute by minute where it changes."""
    opens = dt.datetime(day.year, day.month, day.day, 10, tzinfo=tz)
    first, last = opens.replace(hour=0), opens.replace(hour=23, minute=59)
    low, high = int(first.timestamp()), int(last.timestamp())
    if high - low == 86_340 and first.utcoffset() == opens.utcoffset() == last.utcoffset():
        hours = [h for h in range(10, 21) if not is_quiet(h, start, end)]
        ranges = []
        for hour in hours:
            if ranges and ranges[-1][1] == low + hour * 3600:
                ranges[-1][1] += 3600
            else:
                ranges.append([low + hour * 3600, low + (hour + 1) * 3600])
        return ranges
    midnight = int(dt.datetime(day.year, day.month, day.day, tzinfo=dt.timezone.utc).timestamp())
    found = []
    for second in range(midnight - 93_600, midnight + 180_000, 60):
        local = dt.datetime.fromtimestamp(second, tz)
        # Offsets of old laws have seconds; a minute counts by its beginning.
        if local.date() == day and 10 <= local.hour < 21 and not is_quiet(local.hour, start, end):
            found.append(second)
    return stretches(found)


def slot(vault, day, ranges):
    ranges = [(a, b - min(900, (b - a) // 2)) for a, b in ranges]
    total = sum(b - a for a, b in ranges)
    if total == 0:
        return None
    place = int.from_bytes(hashlib.sha256(f"{vault}|{day}".encode()).digest()[:8], "big") % total
    for a, b in ranges:
        if place < b - a:
            return a + place
        place -= b - a


def check(fields, counts, differences):
    vault, name, stored, recurrence, country, zone_name, leap, start, end, now, planned = fields
    stored = dt.date.fromisoformat(stored)
    start, end, now = int(start), int(end), int(now)
    tz = zone(zone_name)
    today = dt.datetime.fromtimestamp(now, tz).date()
    found = {}
    for part in filter(None, planned.split(";")):
        day, days, word, moment = part.split(",")
        found[(dt.date.fromisoformat(day), int(days))] = (word, int(moment))
    last = today + 45 * DAY
    days = occurrences(name, stored, recurrence == "once", country, leap, today, last + 14 * DAY)
    expected = {(day, n) for day in days for n in (14, 7, 3) if day - n * DAY <= last}
    counts["milestones"] += 1

    def differ(what, detail):
        counts[what] += 1
        if len(differences) < 50:
            differences.append([what, detail, fields])

    if expected != set(found):
        differ("other days", f"{sorted(expected ^ set(found))}")
        return
    for (day, n), (word, moment) in found.items():
        counts["reminders"] += 1
        due = day - n * DAY
        if word in ("standsin", "near", "here"):
            # Its day is over, which is what these say; a day that is not over is never left out.
            if due > today:
                differ("left out", f"{day} {n} {word}")
            counts[f"left out: {word}"] += 1
            continue
        if due < today or word == "late":
            local = dt.datetime.fromtimestamp(moment, tz)
            if word == "never":
                ok = all(is_quiet(h, start, end) for h in range(10, 21))
            elif word == "over":
                # Nothing is left in which a reminder may be put: every stretch of today is over, and tomorrow is the day.
                left = [b - min(900, (b - a) // 2) > now for d in range((day - today).days)
                        for a, b in spans(today + d * DAY, tz, start, end)]
                ok = not any(left)
            else:
                ok = word == "late" and moment >= now and local.date() < day and 10 <= local.hour < 21 \
                    and not is_quiet(local.hour, start, end) and due <= today
            counts["late"] += 1
            if not ok:
                differ("late, wrong", f"{day} {n} {word} {local}")
            continue
        expected_moment = None
        on = max(due, today)
        while on < day and expected_moment is None:
            expected_moment = slot(vault, on, spans(on, tz, start, end))
            if expected_moment is None:
                on += DAY
        if expected_moment is None:
            counts["never allowed"] += 1
            if word != "never":
                differ("never", f"{day} {n} {word}")
        elif word != ("day" if on == due else "later") or moment != expected_moment:
            differ("other moment", f"{day} {n} {word} {moment}, not {expected_moment}")
        else:
            counts["on its day" if on == due else "on a later day"] += 1


def main():
    counts, differences = Counter(), []
    for line in sys.stdin:
        check(line.rstrip("\n").split("\t"), counts, differences)
    result = {
        "what": "plans of reminders beside python-dateutil and zoneinfo",
        "milestones": counts.pop("milestones"),
        "seed": int(sys.argv[2]),
        "python": platform.python_version(),
        "dateutil": dateutil.__version__,
        "zones": open("/usr/share/zoneinfo/tzdata.zi").readline().split()[-1],
        "counts": dict(sorted(counts.items())),
        "differences": differences,
    }
    with open(sys.argv[1], "w") as file:
        json.dump(result, file, indent=2)
        file.write("\n")
    print(json.dumps({k: v for k, v in result.items() if k != "differences"}, indent=2))
    for what, detail, fields in differences[:10]:
        print(what, detail, "\t".join(fields[:-1]))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
