"""JSON text and strings as UTF-16 code units.

Values are None, bool, float (every number), str, list and dict. The parser joins escaped surrogate pairs, so that a str contains code
points and lone surrogates only.
"""
import json
import math
import re


def units(text):
    """The number of UTF-16 code units of a string."""
    return len(text) + sum(1 for char in text if char > "\uffff")


def unit_key(text):
    """A sort key, and a prefix-comparable form: the code units, big-endian."""
    return text.encode("utf-16-be", "surrogatepass")


def is_number(value):
    return isinstance(value, float) and math.isfinite(value)


def _no_constant(name):
    raise ValueError(f"{name} is not JSON")


def parse(text):
    return json.loads(text, parse_int=float, parse_float=float, parse_constant=_no_constant)


def number_text(value):
    """A finite double as ECMAScript (and so RFC 8785) writes it."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    point = len(whole) + int(exponent or "0")  # the position of the decimal point, from the first digit
    digits = whole + fraction
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = point - 1
    tail = "." + digits[1:] if count > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'+' if power > 0 else '-'}{abs(power)}"


_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_ESCAPED = re.compile('[\x00-\x1f"\\\\\ud800-\udfff]')


def string_text(text):
    return '"' + _ESCAPED.sub(lambda m: _SHORT.get(m[0]) or f"\\u{ord(m[0]):04x}", text) + '"'


def write(value, order=None):
    """JSON without white space. `order` sorts the names of each object; without it, they keep their order."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (float, int)):
        return number_text(float(value))
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, list):
        return "[" + ",".join([write(element, order) for element in value]) + "]"
    names = sorted(value, key=order) if order else value
    return "{" + ",".join([string_text(name) + ":" + write(value[name], order) for name in names]) + "}"


def canonical_text(value):
    """RFC 8785, with lone surrogates as escapes."""
    return write(value, unit_key)


_INDEX = re.compile("0|[1-9][0-9]{0,9}")


def _result_order(name):
    if _INDEX.fullmatch(name) and int(name) <= 2**32 - 2:
        return 0, int(name), b""
    return 1, 0, unit_key(name)


def in_result_order(value):
    """A copy of a value of an operand or a claim, with the members of all its objects in the canonical order of results."""
    if isinstance(value, list):
        return [in_result_order(element) for element in value]
    if isinstance(value, dict):
        return {name: in_result_order(value[name]) for name in sorted(value, key=_result_order)}
    return value


def equal(a, b):
    """JSON equality (L16)."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[name], b[name]) for name in a)
    return a == b
