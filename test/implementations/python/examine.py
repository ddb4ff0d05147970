"""The examination of a query: all its problems, in the specified order (L1 to L9, Limits, Problems)."""
import re

import instant
import pattern
from jsontext import is_number, unit_key, units

LIMITS = {
    "limit_depth": 16,
    "limit_checks": 256,
    "limit_projections": 64,
    "limit_members": 32,
    "limit_list_entries": 1000,
    "limit_operand_depth": 16,
    "limit_string": 4096,
    "limit_pattern": 512,
    "limit_pattern_program": 256,
    "limit_pattern_work": 3500,
    "limit_match_cost": 2_000_000,
    "limit_path_segments": 8,
    "limit_path_length": 256,
}
MAX_LISTED = 50
MAX_FOUND = 1000
MAX_POINTER_NAME = 256

MEMBERS = {
    "query": ("check", "policy", "projections"),
    "check": ("claim", "operator", "value"),
    "policy": ("allOf", "anyOf", "not"),
    "item": ("check", "policy", "claim", "operator", "value", "allOf", "anyOf", "not"),
    "projection": ("claim", "lens", "fields", "index"),
}
ORDERING = (">", ">=", "<", "<=")
OPERATORS = ("==", "!=", *ORDERING, "in", "notIn", "contains", "startsWith", "matchRegex", "isDefined")
LENS_PARAMETERS = {"pluck": None, "pick": "fields", "at": "index"}
PATH = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+")


class Rejected(Exception):
    def __init__(self, code, **members):
        super().__init__(code)
        self.error = {"code": code, **members}


class _Enough(Exception):
    pass


def child(pointer, name):
    """The pointer of a member; a long name is left out."""
    if units(name) > MAX_POINTER_NAME:
        return pointer
    return pointer + "/" + name.replace("~", "~0").replace("/", "~1")


def lower(text):
    return re.sub("[A-Z]", lambda match: match[0].lower(), text)


def distance(a, b):
    """The optimal string alignment distance, in code units."""
    a, b = ([key[i : i + 2] for i in range(0, len(key), 2)] for key in (unit_key(a), unit_key(b)))
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            best = min(rows[-1][j] + 1, row[j - 1] + 1, rows[-1][j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


def correction(name, candidates):
    if units(name) > 32:
        return None
    trimmed = lower(name.strip(" "))
    ranked = [(distance(trimmed, lower(candidate)), place) for place, candidate in enumerate(candidates)]
    if ranked and min(ranked)[0] <= max(1, units(trimmed) // 3):
        return candidates[min(ranked)[1]]
    return None


class Examiner:
    def __init__(self):
        self.problems = []
        self.checks = 0
        self.paths = set()  # of projections
        self.patterns = set()
        self.work = 0

    def report(self, code, pointer):
        problem = {"code": code, "pointer": pointer, "message": f"{code} at {pointer or 'the query'}"[:400]}
        if code in LIMITS:
            problem["limit"] = LIMITS[code]
        self.problems.append(problem)
        if len(self.problems) == MAX_FOUND:
            raise _Enough

    def exceeds(self, code, amount, pointer):
        if amount <= LIMITS[code]:
            return False
        self.report(code, pointer)
        return True

    # Each of the following methods examines one value. `depth` is the depth of a policy at that place.

    def open(self, value, pointer, kind):
        """Type, size and unknown members of an object. Returns its known members, with their pointers, or None."""
        if not isinstance(value, dict):
            self.report("not_an_object", pointer)
            return None
        if self.exceeds("limit_members", len(value), pointer):
            return None
        known = MEMBERS[kind]
        members = {name: (value[name], child(pointer, name)) for name in known if name in value}
        for name in sorted((name for name in value if name not in known), key=unit_key):
            self.report("member_unknown", child(pointer, name))
            corrected = correction(name, [candidate for candidate in known if candidate not in members])
            if corrected:
                members[corrected] = (value[name], child(pointer, name))
        return members

    def form(self, count, pointer):
        if count != 1:
            self.report("form_missing" if count == 0 else "form_ambiguous", pointer)

    def query(self, value):
        members = self.open(value, "", "query")
        if members is None:
            return
        self.form(len(members), "")
        if "check" in members:
            self.check(*members["check"])
        if "policy" in members:
            self.policy(*members["policy"], 1)
        if "projections" in members:
            self.projections(*members["projections"])

    def place_of_check(self, pointer):
        self.checks += 1
        if self.checks == LIMITS["limit_checks"] + 1:
            self.report("limit_checks", pointer)
        return self.checks <= LIMITS["limit_checks"]

    def check(self, value, pointer):
        if not self.place_of_check(pointer):
            return
        members = self.open(value, pointer, "check")
        if members is not None:
            self.check_members(members, pointer, True)

    def check_members(self, members, pointer, required):
        if "claim" in members:
            self.claim(*members["claim"])
        elif required:
            self.report("member_missing", pointer)
        operator = None
        if "operator" in members:
            operator = self.name(*members["operator"], OPERATORS, "operator_unknown")
        elif required:
            self.report("member_missing", pointer)
        if operator is None:
            return
        if "value" not in members:
            if required and operator != "isDefined":
                self.report("member_missing", pointer)
        elif operator == "isDefined":
            self.report("operand_unexpected", members["value"][1])
        else:
            self.operand(*members["value"], operator)

    def policy(self, value, pointer, depth):
        if self.exceeds("limit_depth", depth, pointer):
            return
        members = self.open(value, pointer, "policy")
        if members is not None:
            self.form(len(members), pointer)
            self.policy_members(members, depth)

    def policy_members(self, members, depth):
        for name in ("allOf", "anyOf"):
            if name in members:
                value, pointer = members[name]
                if not isinstance(value, list):
                    self.report("not_an_array", pointer)
                    continue
                if not value:
                    self.report("list_empty", pointer)
                self.items(value, pointer, depth)
        if "not" in members:
            value, pointer = members["not"]
            if not isinstance(value, list):
                self.item(value, pointer, depth + 1)
                return
            if len(value) != 1:
                self.report("not_arity", pointer)
            self.items(value, pointer, depth)

    def items(self, values, pointer, depth):
        for index, value in enumerate(values):
            self.item(value, f"{pointer}/{index}", depth + 1)

    def item(self, value, pointer, depth):
        members = self.open(value, pointer, "item")
        if members is None:
            return
        bare_check = any(name in members for name in MEMBERS["check"])
        bare_policy = [name for name in MEMBERS["policy"] if name in members]
        shapes = ("check" in members) + ("policy" in members) + bare_check + bool(bare_policy)
        self.form(shapes, pointer)
        if "check" in members:
            self.check(*members["check"])
        if "policy" in members:
            self.policy(*members["policy"], depth)
        if bare_check and (shapes > 1 or self.place_of_check(pointer)):
            self.check_members(members, pointer, shapes == 1)
        if bare_policy and not self.exceeds("limit_depth", depth, pointer):
            if shapes == 1:
                self.form(len(bare_policy), pointer)
            self.policy_members(members, depth)

    def projections(self, value, pointer):
        if not isinstance(value, list):
            self.report("not_an_array", pointer)
            return
        if self.exceeds("limit_projections", len(value), pointer):
            return
        if not value:
            self.report("list_empty", pointer)
        for index, element in enumerate(value):
            self.projection(element, f"{pointer}/{index}")

    def projection(self, value, pointer):
        members = self.open(value, pointer, "projection")
        if members is None:
            return
        if "claim" in members:
            path, place = members["claim"]
            if self.claim(path, place):
                if path in self.paths:
                    self.report("projection_repeated", place)
                self.paths.add(path)
        else:
            self.report("member_missing", pointer)
        lens = None
        if "lens" in members:
            lens = self.name(*members["lens"], LENS_PARAMETERS, "lens_unknown")
        else:
            self.report("member_missing", pointer)
        for name, examine in (("fields", self.fields), ("index", self.index)):
            if name in members:
                if lens is None or LENS_PARAMETERS[lens] == name:
                    examine(*members[name])
                else:
                    self.report("lens_parameter", members[name][1])

    def fields(self, value, pointer):
        if not isinstance(value, list):
            self.report("lens_parameter", pointer)
            return
        if self.exceeds("limit_list_entries", len(value), pointer):
            return
        if not value:
            self.report("lens_parameter", pointer)
        seen = set()
        for index, element in enumerate(value):
            place = f"{pointer}/{index}"
            if not isinstance(element, str):
                self.report("lens_parameter", place)
            elif not self.exceeds("limit_string", units(element), place):
                if element in seen:
                    self.report("lens_parameter", place)
                seen.add(element)

    def index(self, value, pointer):
        if not (is_number(value) and value.is_integer() and abs(value) < 2**53):
            self.report("lens_parameter", pointer)

    def name(self, value, pointer, names, unknown):
        """An operator or a lens. Returns its name, or None."""
        if not isinstance(value, str):
            self.report("not_a_string", pointer)
        elif value not in names:
            self.report(unknown, pointer)
        else:
            return value
        return None

    def claim(self, value, pointer):
        if not isinstance(value, str):
            self.report("not_a_string", pointer)
        elif self.exceeds("limit_path_length", units(value), pointer):
            pass
        elif not PATH.fullmatch(value):
            self.report("claim_path_malformed", pointer)
        else:
            return not self.exceeds("limit_path_segments", value.count(".") + 1, pointer)
        return False

    def operand(self, value, pointer, operator):
        accepted = True
        if operator in ORDERING:
            accepted = isinstance(value, (str, float))
        elif operator in ("in", "notIn"):
            accepted = isinstance(value, list)
        elif operator in ("startsWith", "matchRegex"):
            accepted = isinstance(value, str)
        if not accepted:
            self.report("operand_type", pointer)
        elif operator == "matchRegex":
            self.pattern(value, pointer)
        else:
            before = len(self.problems)
            self.traverse(value, pointer)
            if operator in ORDERING and isinstance(value, str) and len(self.problems) == before:
                if instant.parse(value) is None:
                    self.report("operand_type", pointer)

    def traverse(self, operand, operand_pointer):
        entries = 0

        def visit(value, pointer, depth):
            """Returns whether the traversal goes on."""
            nonlocal entries
            if isinstance(value, str):
                self.exceeds("limit_string", units(value), pointer)
            elif isinstance(value, float) and not is_number(value):
                self.report("operand_type", pointer)
            if not isinstance(value, (list, dict)):
                return True
            if self.exceeds("limit_operand_depth", depth, operand_pointer):
                return False
            entries += len(value)
            if self.exceeds("limit_list_entries", entries, operand_pointer):
                return False
            if isinstance(value, list):
                return all(visit(element, f"{pointer}/{index}", depth + 1) for index, element in enumerate(value))
            for name in sorted(value, key=unit_key):
                place = child(pointer, name)
                if not self.exceeds("limit_string", units(name), place) and not visit(value[name], place, depth + 1):
                    return False
            return True

        visit(operand, operand_pointer, 1)

    def pattern(self, value, pointer):
        if self.exceeds("limit_pattern", units(value), pointer):
            return
        parsed = pattern.parse(value)
        if parsed is None:
            self.report("pattern_invalid", pointer)
            return
        if self.exceeds("limit_pattern_program", parsed.size, pointer) or value in self.patterns:
            return
        self.patterns.add(value)
        before, self.work = self.work, self.work + parsed.work
        if before <= LIMITS["limit_pattern_work"]:
            self.exceeds("limit_pattern_work", self.work, pointer)


def examine(query):
    """Raises Rejected if the query has problems."""
    examiner = Examiner()
    try:
        examiner.query(query)
    except _Enough:
        pass
    problems = examiner.problems
    if problems:
        too_large = all(problem["code"] in LIMITS for problem in problems)
        code = "query_too_large" if too_large else "invalid_query"
        raise Rejected(code, problems=problems[:MAX_LISTED], total=len(problems))
