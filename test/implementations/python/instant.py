"""Instants (L17): whole milliseconds since 1970-01-01T00:00:00Z, in the proleptic Gregorian calendar."""
import re

DAY = 86_400_000
LAST = 253_402_300_799_999  # 9999-12-31T23:59:59.999Z

_FORM = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2})))?"
)


def _days(year, month, day):
    """Days from 1970-01-01. Years begin in March here, so that the leap day is the last one."""
    if month <= 2:
        year -= 1
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468


def _civil(days):
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    return era * 400 + year_of_era + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1


def _month_length(year, month):
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def parse(text):
    """The instant of a string, or None."""
    match = _FORM.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(match[i]) for i in (1, 2, 3))
    if not (1 <= month <= 12 and 1 <= day <= _month_length(year, month)):
        return None
    start = _days(year, month, day) * DAY
    if match[4] is None:
        return start
    hour, minute, second = (int(match[i]) for i in (4, 5, 6))
    offset_hour, offset_minute = int(match[9] or 0), int(match[10] or 0)
    if hour > 23 or minute > 59 or second > 60 or offset_hour > 23 or offset_minute > 59:
        return None
    offset = (offset_hour * 60 + offset_minute) * (-1 if match[8] == "-" else 1)
    whole = start + ((hour * 60 + minute - offset) * 60 + second) * 1000
    if second == 60:
        return whole if whole % DAY == 0 and _civil(whole // DAY)[2] == 1 else None
    return whole + int(((match[7] or "") + "000")[:3])


def write(instant):
    days, rest = divmod(min(instant, LAST), DAY)
    year, month, day = _civil(days)
    seconds, milliseconds = divmod(rest, 1000)
    return (
        f"{year:04}-{month:02}-{day:02}T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{milliseconds:03}Z"
    )
