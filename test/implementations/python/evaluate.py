"""Normalization and evaluation of queries (L10 to L25)."""
from dataclasses import dataclass
from typing import Any

import instant
import pattern
from examine import LIMITS, ORDERING, Rejected, examine
from jsontext import canonical_text, equal, in_result_order, unit_key, units

LIFETIME = 300_000
MAX_CLAIM_DEPTH = 16


@dataclass
class Check:
    pointer: str
    claim: str
    operator: str
    operand: Any  # absent (None) for isDefined


@dataclass
class Policy:
    kind: str  # allOf, anyOf, not
    items: list


# Normalization of a query without problems.


def read_check(value, pointer):
    return Check(pointer, value["claim"], value["operator"], value.get("value"))


def read_policy(value, pointer):
    ((kind, items),) = value.items()
    place = f"{pointer}/{kind}"
    if isinstance(items, list):
        return Policy(kind, [read_item(item, f"{place}/{index}") for index, item in enumerate(items)])
    return Policy(kind, [read_item(items, place)])


def read_item(value, pointer):
    if "check" in value:
        return read_check(value["check"], f"{pointer}/check")
    if "policy" in value:
        return read_policy(value["policy"], f"{pointer}/policy")
    return read_check(value, pointer) if "claim" in value else read_policy(value, pointer)


def normalized(item):
    if isinstance(item, Check):
        check = {"claim": item.claim, "operator": item.operator}
        if item.operator != "isDefined":
            check["value"] = item.operand
        return {"check": check}
    items = [normalized(element) for element in item.items]
    return {"policy": {item.kind: items[0] if item.kind == "not" else items}}


def canonicalize(query):
    examine(query)
    if "projections" not in query:
        return canonical_text(normalized(read_item(query, "")))
    defaults = [{"index": 0.0} if projection["lens"] == "at" else {} for projection in query["projections"]]
    return canonical_text({"projections": [{**d, **p} for d, p in zip(defaults, query["projections"])]})


def checks_of(item):
    if isinstance(item, Check):
        return [item]
    return [check for element in item.items for check in checks_of(element)]


# Claims.


def deeper_than(value, limit):
    if not isinstance(value, (list, dict)):
        return False
    if limit == 0:
        return True
    return any(deeper_than(element, limit - 1) for element in (value.values() if isinstance(value, dict) else value))


class Person:
    """The claims of a person at an instant."""

    def __init__(self, credentials, at):
        self.expiry = {}
        active = []
        for credential in credentials:
            issued = instant.parse(credential["issuedAt"])
            expires, revoked = (
                instant.parse(credential[name]) if name in credential else None for name in ("expiresAt", "revokedAt")
            )
            if issued <= at and (expires is None or at < expires) and (revoked is None or at < revoked):
                active.append((-issued, unit_key(credential["id"]), credential))
                self.expiry[credential["id"]] = expires
        active.sort(key=lambda entry: entry[:2])
        self.active = [credential for _, _, credential in active]
        self.known = {}

    def attested(self, path):
        for credential in self.active:
            if path in credential["claims"] and not deeper_than(credential["claims"][path], MAX_CLAIM_DEPTH):
                return credential["claims"][path], credential
        return None

    def find(self, path):
        """The value and the credential of a claim; None where it is undefined."""
        segments = path.split(".")
        for count in range(len(segments), 1, -1):
            found = self.attested(".".join(segments[:count]))
            if found:
                value, credential = found
                for segment in segments[count:]:
                    if not isinstance(value, dict) or segment not in value:
                        return None
                    value = value[segment]
                return value, credential
        return None

    def claim(self, path):
        if path not in self.known:
            self.known[path] = self.find(path)
        return self.known[path]


# The scope gate.


def covering_scopes(path, catalogue):
    segments = path.split(".")
    for count in range(len(segments), 0, -1):
        prefix = ".".join(segments[:count])
        names = [scope["name"] for scope in catalogue if prefix in scope.get("covers", [])]
        if names:
            return names
    return []


def check_scopes(paths, granted, catalogue):
    implied = {scope["name"]: scope.get("implies", []) for scope in catalogue}
    held = set()
    pending = list(granted)
    while pending:
        name = pending.pop()
        if name in implied and name not in held:
            held.add(name)
            pending += implied[name]
    missing = []
    for path in dict.fromkeys(paths):
        scopes = covering_scopes(path, catalogue)
        if held.isdisjoint(scopes):
            missing.append({"claim": path, "scopes": scopes})
    if missing:
        raise Rejected("insufficient_scope", missing=missing)


# Checks and policies.


def check_match_cost(checks, person):
    cost = 0
    for check in checks:
        found = person.claim(check.claim) if check.operator == "matchRegex" else None
        if found and isinstance(found[0], str):
            cost += pattern.parse(check.operand).size * units(found[0])
        if cost > LIMITS["limit_match_cost"]:
            problem = {"code": "limit_match_cost", "pointer": check.pointer, "message": "", "limit": LIMITS["limit_match_cost"]}
            raise Rejected("query_too_large", problems=[problem], total=1)


def passes(check, found):
    if found is None:
        return False
    claim, operator, operand = found[0], check.operator, check.operand
    if operator == "isDefined":
        return True
    if operator == "==":
        return equal(claim, operand)
    if operator == "!=":
        return not equal(claim, operand)
    if operator in ("in", "notIn"):
        return any(equal(claim, element) for element in operand) == (operator == "in")
    if operator == "contains":
        return isinstance(claim, list) and any(equal(element, operand) for element in claim)
    if operator in ORDERING:
        return ordered(claim, operator, operand)
    if not isinstance(claim, str):
        return False
    if operator == "startsWith":
        return unit_key(claim).startswith(unit_key(operand))
    return pattern.matches(operand, claim)


def ordered(claim, operator, operand):
    if type(claim) is not type(operand):
        return False
    if isinstance(operand, str):
        claim, operand = instant.parse(claim), instant.parse(operand)
        if claim is None:
            return False
    return {">": claim > operand, ">=": claim >= operand, "<": claim < operand, "<=": claim <= operand}[operator]


def outcome(item, outcomes):
    """`outcomes` yields the outcomes of all checks, in document order."""
    if isinstance(item, Check):
        return next(outcomes)
    results = [outcome(element, outcomes) for element in item.items]
    if item.kind == "not":
        return not results[0]
    return all(results) if item.kind == "allOf" else any(results)


def expiry(credentials, person, at):
    times = [person.expiry[credential["id"]] for credential in credentials]
    return instant.write(min([time for time in times if time is not None], default=at + LIFETIME))


def predicate(item, checks, person, at):
    results, used = [], {}
    for check in checks:
        found = person.claim(check.claim)
        expected = True if check.operator == "isDefined" else in_result_order(check.operand)
        result = {"claim": check.claim, "operator": check.operator, "expectedValue": expected}
        if found:
            result["actualValue"] = in_result_order(found[0])
            used[check.claim] = found
        result["passed"] = passes(check, found)
        results.append(result)
    claims_used = [
        {"path": path, "value": in_result_order(value), "credentialId": credential["id"], "source": credential["source"]}
        for path, (value, credential) in used.items()
    ]
    return {
        "type": "predicate",
        "passed": outcome(item, iter([result["passed"] for result in results])),
        "evaluatedAt": instant.write(at),
        "evidence": {"claimsUsed": claims_used, "checkResults": results},
        "expiresAt": expiry([credential for _, credential in used.values()], person, at),
    }


# Projections.


def extract(projection, value):
    lens = projection["lens"]
    if lens == "pluck":
        return value
    if lens == "pick":
        if not isinstance(value, dict):
            return None
        return {name: value[name] for name in projection.get("fields", value) if name in value}
    if not isinstance(value, list):
        return None
    index = int(projection.get("index", 0))
    return value[index] if -len(value) <= index < len(value) else None


def project(projections, person, at):
    data, claims_used, credentials = {}, [], []
    for projection in projections:
        path = projection["claim"]
        found = person.claim(path)
        data[path] = in_result_order(extract(projection, found[0])) if found else None
        if found:
            claims_used.append({"path": path, "value": data[path]})
            credentials.append(found[1])
    return {
        "type": "projection",
        "data": data,
        "evaluatedAt": instant.write(at),
        "claimsUsed": claims_used,
        "expiresAt": expiry(credentials, person, at),
    }


def evaluate(query, credentials, granted, at, catalogue):
    """The result; raises Rejected."""
    examine(query)
    at = instant.parse(at)
    person = Person(credentials, at)
    if "projections" in query:
        check_scopes([projection["claim"] for projection in query["projections"]], granted, catalogue)
        return project(query["projections"], person, at)
    item = read_item(query, "")
    checks = checks_of(item)
    check_scopes([check.claim for check in checks], granted, catalogue)
    check_match_cost(checks, person)
    return predicate(item, checks, person, at)
