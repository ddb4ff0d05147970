/** Bugs to plant in the engine, one at a time: a snippet of a file, which occurs once unless `everywhere` is set, and its replacement. */

export interface PlantedBug {
  /** The effect, and the requirement that it violates. */
  readonly name: string;
  /** Path from `src/engine/`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Whether the snippet occurs several times, and all occurrences are replaced. */
  readonly everywhere?: true;
}

const OPERATORS: readonly PlantedBug[] = [
  {
    name: '== coerces (L16)',
    file: 'compile/fused-checks.ts',
    find: "typeof value === 'string' && value === operand",
    replace: 'String(value) === operand',
    everywhere: true,
  },
  {
    name: '== distinguishes −0 from 0 (L16)',
    file: 'operators/operators.ts',
    find: "'==': equality((operand) => (value) => jsonEquals(value, operand))",
    replace:
      "'==': equality((operand) => (value) => (typeof value === 'number' ? Object.is(value, operand) : jsonEquals(value, operand)))",
  },
  {
    name: '== does not compare objects and arrays (L16)',
    file: 'operators/operators.ts',
    find: "'==': equality((operand) => (value) => jsonEquals(value, operand))",
    replace: "'==': equality((operand) => (value) => value === operand)",
  },
  {
    name: '!= fails on another type (L16)',
    file: 'operators/operators.ts',
    find: '(value) => !jsonEquals(value, operand)',
    replace: '(value) => typeof value === typeof operand && !jsonEquals(value, operand)',
  },
  {
    name: '> is >= (L17)',
    file: 'compile/fused-checks.ts',
    find: "typeof value === 'number' && value > operand",
    replace: "typeof value === 'number' && value >= operand",
    everywhere: true,
  },
  {
    name: '>= is > (L17)',
    file: 'compile/fused-checks.ts',
    find: "typeof value === 'number' && value >= operand",
    replace: "typeof value === 'number' && value > operand",
    everywhere: true,
  },
  {
    name: '< is <= (L17)',
    file: 'compile/fused-checks.ts',
    find: "typeof value === 'number' && value < operand",
    replace: "typeof value === 'number' && value <= operand",
    everywhere: true,
  },
  {
    name: '<= is < (L17)',
    file: 'compile/fused-checks.ts',
    find: "typeof value === 'number' && value <= operand",
    replace: "typeof value === 'number' && value < operand",
    everywhere: true,
  },
  {
    name: 'numbers are compared with numerals (L15)',
    file: 'compile/fused-checks.ts',
    find: "typeof value === 'number' && value",
    replace: 'Number(value)',
    everywhere: true,
  },
  {
    name: 'dates are parsed by Date.parse (L17)',
    file: 'operators/operators.ts',
    find: '(parseInstant(value) ?? Number.NaN)',
    replace: 'Date.parse(value)',
  },
  {
    name: 'dates are compared as strings (L17)',
    file: 'operators/operators.ts',
    find: 'return (value) => holds(toInstant(value), instant);',
    replace:
      'return (value) => holds(Number(String(value) >= String(operand)), Number.isNaN(instant) ? 1 : 0.5);',
  },
  {
    name: 'in folds the case of the claim for long lists (L16)',
    file: 'operators/operators.ts',
    find: 'primitives.has(value)',
    replace: "primitives.has(typeof value === 'string' ? value.toLowerCase() : value)",
  },
  {
    name: 'in ignores the first element of long lists (L18)',
    file: 'operators/operators.ts',
    find: 'new Set(list.filter(isPrimitive))',
    replace: 'new Set(list.slice(1).filter(isPrimitive))',
  },
  {
    name: 'in coerces (L16)',
    file: 'operators/operators.ts',
    find: 'in: membership((isMember) => isMember)',
    replace: 'in: membership((isMember) => (value) => isMember(value) || isMember(String(value)))',
  },
  {
    name: 'in does not compare objects and arrays (L16)',
    file: 'operators/operators.ts',
    find: 'list.some((element) => jsonEquals(element, value))',
    replace: 'list.includes(value)',
  },
  {
    name: 'in compares only the first element (L18)',
    file: 'operators/operators.ts',
    find: 'new Set(list.filter(isPrimitive))',
    replace: 'new Set(list.slice(0, 1).filter(isPrimitive))',
  },
  {
    name: 'notIn fails on null (L12)',
    file: 'operators/operators.ts',
    find: '(value) => !isMember(value)',
    replace: '(value) => value !== null && !isMember(value)',
  },
  {
    name: 'contains searches in strings (L15)',
    file: 'operators/operators.ts',
    find: 'isJsonArray(value) && value.some(',
    replace:
      '(typeof value === "string" && value.includes(String(operand))) || isJsonArray(value) && value.some(',
  },
  {
    name: 'contains compares only the first element (L18)',
    file: 'operators/operators.ts',
    find: 'isJsonArray(value) && value.some(',
    replace: 'isJsonArray(value) && value.slice(0, 1).some(',
  },
  {
    name: 'startsWith matches anywhere (L18)',
    file: 'operators/operators.ts',
    find: 'value.startsWith(prefix)',
    replace: 'value.includes(prefix)',
  },
  {
    name: 'startsWith folds case (L16)',
    file: 'operators/operators.ts',
    find: 'value.startsWith(prefix)',
    replace: 'value.toLowerCase().startsWith(prefix.toLowerCase())',
  },
  {
    name: 'startsWith normalizes (L16)',
    file: 'operators/operators.ts',
    find: 'value.startsWith(prefix)',
    replace: 'value.normalize().startsWith(prefix.normalize())',
  },
  {
    name: 'matchRegex converts values to strings (L15)',
    file: 'operators/operators.ts',
    find: "typeof value === 'string' && pattern.test(value)",
    replace: 'pattern.test(String(value))',
  },
  {
    name: 'matchRegex matches only the first line (L18)',
    file: 'operators/operators.ts',
    find: 'pattern.test(value)',
    replace: "pattern.test(value.split('\\n')[0] as string)",
  },
  {
    name: 'isDefined treats null as undefined (L12)',
    file: 'operators/operators.ts',
    find: 'test: () => () => true',
    replace: 'test: () => (value) => value !== null',
  },
  {
    name: 'objects with additional members are equal (L16)',
    file: 'claims/json-value.ts',
    find: 'names.length === Object.keys(right).length &&',
    replace: '',
  },
  {
    name: 'longer arrays are equal (L16)',
    file: 'claims/json-value.ts',
    find: 'left.length === right.length &&\n    [...left]',
    replace: '[...left]',
  },
  {
    name: 'a member that is missing on one side is equal (L16)',
    file: 'claims/json-value.ts',
    find: 'Object.hasOwn(right, name) && jsonEquals',
    replace: '!Object.hasOwn(right, name) || jsonEquals',
  },
  {
    name: 'an array equals an object of its indices (L16)',
    file: 'claims/json-value.ts',
    find: 'if (isJsonArray(left)) return isJsonArray(right) && arraysEqual(left, right);\n  return !isJsonArray(right) && ',
    replace: 'return ',
  },
];

const INSTANTS: readonly PlantedBug[] = [
  {
    name: 'offsets have the opposite sign (L17)',
    file: 'claims/instant.ts',
    find: "sign === '-' ? -1 : 1",
    replace: "sign === '-' ? 1 : -1",
  },
  {
    name: 'fractions of one digit are milliseconds (L17)',
    file: 'claims/instant.ts',
    find: ".padEnd(3, '0')",
    replace: '',
  },
  {
    name: 'leap seconds are rejected (L17)',
    file: 'claims/instant.ts',
    find: '[0-5]\\d|60)',
    replace: '[0-5]\\d)',
  },
  {
    name: 'a leap second is accepted at any time (L17)',
    file: 'claims/instant.ts',
    find: 'isStartOfMonth(at) ? at : undefined',
    replace: 'at',
  },
  {
    name: 'no year is a leap year (L17)',
    file: 'claims/instant.ts',
    find: 'new Date(start).getUTCDate() === day',
    replace: 'month !== 2 && new Date(start).getUTCDate() === day',
  },
];

const POLICIES: readonly PlantedBug[] = [
  {
    name: 'allOf ignores a failure of its first item (L19)',
    file: 'compile/evidence.ts',
    find: '=== decisive) return decisive;\n    }\n    return !decisive;',
    replace: '=== decisive && (decisive || index > 0)) return decisive;\n    }\n    return !decisive;',
  },
  {
    name: 'anyOf requires all items (L19)',
    file: 'compile/evidence.ts',
    find: 'decidedBy(item.items, true)',
    replace: 'decidedBy(item.items, false)',
  },
  {
    name: 'not does not negate (L19)',
    file: 'compile/evidence.ts',
    find: '!inner(outcomes)',
    replace: 'inner(outcomes)',
  },
  {
    name: 'allOf requires one item, without evidence (L21)',
    file: 'compile/predicate.ts',
    find: 'toPredicate(each, next, fail), pass)',
    replace: 'toPredicate(each, pass, next), fail)',
  },
  {
    name: 'anyOf requires all items, without evidence (L21)',
    file: 'compile/predicate.ts',
    find: 'toPredicate(each, pass, next), fail)',
    replace: 'toPredicate(each, next, fail), pass)',
  },
  {
    name: 'not does not negate, without evidence (L21)',
    file: 'compile/predicate.ts',
    find: 'toPredicate(item.item, fail, pass)',
    replace: 'toPredicate(item.item, pass, fail)',
  },
  {
    name: '!= passes on an undefined claim (L14)',
    file: 'compile/predicate.ts',
    find: 'value !== undefined && test(value)',
    replace: 'test(value as never)',
    everywhere: true,
  },
  {
    name: 'a short list ignores its third entry (L18)',
    file: 'compile/fused-checks.ts',
    find: ' || value === third',
    replace: '',
    everywhere: true,
  },
  {
    name: 'the items after an equality are ignored, without evidence (L19)',
    file: 'compile/fused-checks.ts',
    find: 'value === operand ? pass(claims) : FAIL(claims)',
    replace: 'value === operand',
    everywhere: true,
  },
  {
    name: 'the items after a failed comparison count, without evidence (L19)',
    file: 'compile/fused-checks.ts',
    find: ' operand ? pass(claims) : FAIL(claims)',
    replace: ' operand || pass(claims)',
    everywhere: true,
  },
  {
    name: 'the scope gate ignores one claim (L20)',
    file: 'compile/guards.ts',
    find: '2 ** claims.length - 1',
    replace: '2 ** (claims.length - 1) - 1',
  },
];

const LENSES: readonly PlantedBug[] = [
  {
    name: 'pluck unwraps arrays of one (L5)',
    file: 'lenses.ts',
    find: '(value) => value',
    replace: '(value) => (Array.isArray(value) && value.length === 1 ? value[0] : value)',
  },
  {
    name: 'pick reaches a prototype (L5)',
    file: 'lenses.ts',
    find: 'Object.hasOwn(value, name)',
    replace: 'name in value',
  },
  {
    name: 'pick without fields treats arrays as objects (L23)',
    file: 'lenses.ts',
    find: '(isJsonObject(value) ? value : null)',
    replace: "(typeof value === 'object' ? value : null)",
  },
  {
    name: 'pick keeps the order of its fields (L24)',
    file: 'lenses.ts',
    find: '[...fields].sort()',
    replace: '[...fields]',
  },
  {
    name: 'pick returns null if no field is present (L23)',
    file: 'lenses.ts',
    find: 'return Object.fromEntries(present',
    replace: 'return present.length === 0 ? null : Object.fromEntries(present',
  },
  {
    name: 'at rejects negative indices (L5)',
    file: 'lenses.ts',
    find: 'value.at(index)',
    replace: 'value[index]',
  },
  {
    name: 'at indexes strings (L23)',
    file: 'lenses.ts',
    find: '(isJsonArray(value) ? (value.at(index) ?? null) : null)',
    replace: "(isJsonArray(value) || typeof value === 'string' ? (value.at(index) ?? null) : null)",
  },
];

const GATE: readonly PlantedBug[] = [
  {
    name: 'claims that no scope covers are readable (L20)',
    file: 'compile/guards.ts',
    find: 'catalogue.coveringScopes(claim).some((scope) => held.has(scope));',
    replace:
      'catalogue.coveringScopes(claim).length === 0 || catalogue.coveringScopes(claim).some((scope) => held.has(scope));',
  },
  {
    name: 'the scope gate lets one uncovered claim pass (L20)',
    file: 'compile/guards.ts',
    find: 'if (missing.length > 0)',
    replace: 'if (missing.length > 1)',
  },
  {
    name: 'the scope gate requires every covering scope (L20)',
    file: 'compile/guards.ts',
    find: 'catalogue.coveringScopes(claim).some(',
    replace: 'catalogue.coveringScopes(claim).every(',
  },
  {
    name: 'only the first uncovered claim is reported (L20)',
    file: 'compile/guards.ts',
    find: 'QueryError.forMissingScopes(missing, ',
    replace: 'QueryError.forMissingScopes(missing.slice(0, 1), ',
  },
  {
    name: 'implied scopes are ignored (L20)',
    file: 'scopes/catalogue.ts',
    find: 'closures.get(name) ?? []',
    replace: 'closures.has(name) ? [name] : []',
  },
  {
    name: 'scopes imply only one level (L20)',
    file: 'scopes/catalogue.ts',
    find: 'close(scope, implied, closures, [...path, name])',
    replace: '[scope]',
  },
  {
    name: 'a scope covers only the paths that it lists, not their members (L20)',
    file: 'scopes/catalogue.ts',
    find: "end = path.lastIndexOf('.', end - 1)",
    replace: 'end = 0',
  },
  {
    name: 'a scope of a category covers paths that other scopes list (L20)',
    file: 'scopes/catalogue.ts',
    find: 'path.slice(0, end)',
    replace: "path.split('.')[0] as string",
  },
];

const EVIDENCE: readonly PlantedBug[] = [
  {
    name: 'evidence ends at a failing check, except the first check (L21)',
    file: 'evaluate.ts',
    find: 'checkResults[position] = runCheck(checks[position] as EvidenceCheck, claims);',
    replace:
      'checkResults[position] = runCheck(checks[position] as EvidenceCheck, claims);\n if (position > 0 && !checkResults[position].passed) break;',
  },
  {
    name: 'an undefined claim has an actual value (L14)',
    file: 'evaluate.ts',
    find: '? { claim: path, operator, expectedValue, passed }',
    replace: '? { claim: path, operator, expectedValue, actualValue: null, passed }',
  },
  {
    name: 'null is not shown as an actual value (L12)',
    file: 'evaluate.ts',
    find: 'actualValue === undefined',
    replace: 'actualValue == null',
  },
  {
    name: 'only passing checks list their claims (L21)',
    file: 'evaluate.ts',
    find: '    if (value === undefined) continue;\n    const { id',
    replace:
      '    if (value === undefined || !checkResults.some((one) => one.claim === claim.path && one.passed)) continue;\n    const { id',
  },
  {
    name: 'used claims are listed by last use (L21)',
    file: 'compile/evidence.ts',
    find: 'for (const { claim } of checks) {',
    replace: 'for (const { claim } of [...checks].reverse()) {',
  },
  {
    name: 'used claims are listed by path (L21)',
    file: 'compile/evidence.ts',
    find: 'claims: [...claims.values()]',
    replace: 'claims: [...claims.values()].sort((a, b) => (a.path < b.path ? -1 : 1))',
  },
  {
    name: 'a claim is listed once per use (L21)',
    file: 'compile/evidence.ts',
    find: 'claims: [...claims.values()]',
    replace: 'claims: checks.map(({ claim }) => toEvidenceClaim(claim))',
  },
  {
    name: 'evidence names the source as the credential (L21)',
    file: 'evaluate.ts',
    find: 'credentialId: id',
    replace: 'credentialId: source',
  },
  {
    name: 'a null operand is shown as true (L21)',
    file: 'compile/plan.ts',
    find: 'value === undefined ? true : value',
    replace: 'value ?? true',
  },
  {
    name: 'isDefined has no expected value in evidence (L21)',
    file: 'compile/plan.ts',
    find: 'value === undefined ? true : value',
    replace: 'value as never',
  },
  {
    name: 'members keep the order of the credential (L24)',
    file: 'claims/json-value.ts',
    find: 'Object.keys(value).sort()',
    replace: 'Object.keys(value)',
  },
  {
    name: 'a member named __proto__ is lost (L24)',
    file: 'claims/json-value.ts',
    find: 'Object.fromEntries(members)',
    replace: 'Object.assign({}, ...[...members].map(([name, member]) => ({ [name]: member })))',
  },
  {
    name: 'serialized results replace a repeated value by null (L24)',
    file: 'claims/claim-json.ts',
    find: 'if (known !== undefined) return known;',
    replace: 'if (known !== undefined) return "null";',
  },
  {
    name: 'serialized results omit values of member paths (L13)',
    file: 'compile/result-serializer.ts',
    find: 'return value === undefined ? undefined : JSON.stringify(value);',
    replace: 'return undefined;',
  },
];

const CLAIMS: readonly PlantedBug[] = [
  {
    name: 'the credential issued first takes precedence (L11)',
    file: 'claims/claim-set.ts',
    find: 'candidate.issuedAt > current.issuedAt',
    replace: 'candidate.issuedAt < current.issuedAt',
  },
  {
    name: 'of credentials issued together, the largest id takes precedence (L11)',
    file: 'claims/claim-set.ts',
    find: 'candidate.id < current.id',
    replace: 'candidate.id > current.id',
  },
  {
    name: 'of credentials issued together, the first in the list takes precedence (L11)',
    file: 'claims/claim-set.ts',
    find: 'candidate.id < current.id',
    replace: 'false',
  },
  {
    name: 'ids are ordered by locale (L11)',
    file: 'claims/claim-set.ts',
    find: 'candidate.id < current.id',
    replace: "candidate.id.localeCompare(current.id, 'en') < 0",
  },
  {
    name: 'a credential is inactive at the instant of its issuance (L10)',
    file: 'claims/credential.ts',
    find: 'credential.issuedAt <= at',
    replace: 'credential.issuedAt < at',
  },
  {
    name: 'a credential is active at the instant of its expiry (L10)',
    file: 'claims/credential.ts',
    find: 'at < credential.expiresAt',
    replace: 'at <= credential.expiresAt',
  },
  {
    name: 'a credential is active at the instant of its revocation (L10)',
    file: 'claims/credential.ts',
    find: 'at < credential.revokedAt',
    replace: 'at <= credential.revokedAt',
  },
  {
    name: 'null is undefined (L12)',
    file: 'claims/claim-set.ts',
    find: '  if (own !== undefined) return own;\n  for (',
    replace: '  if (own !== undefined) return own === null ? undefined : own;\n  for (',
  },
  {
    name: 'claims may nest one level deeper (L12)',
    file: 'claims/json-value.ts',
    find: 'MAX_VALUE_DEPTH = 16',
    replace: 'MAX_VALUE_DEPTH = 17',
  },
  {
    name: 'claims may nest one level less (L12)',
    file: 'claims/json-value.ts',
    find: 'MAX_VALUE_DEPTH = 16',
    replace: 'MAX_VALUE_DEPTH = 15',
  },
  {
    name: 'the shortest parent claim takes precedence (L13)',
    file: 'claims/claim-path.ts',
    find: 'let count = segments.length - 1; count >= 2; count -= 1',
    replace: 'let count = 2; count < segments.length; count += 1',
  },
  {
    name: 'a claim with the full path is ignored if a parent claim may exist (L13)',
    file: 'claims/claim-set.ts',
    find: '  if (own !== undefined) return own;\n  for (',
    replace: '  if (own !== undefined && reference.parents.length === 0) return own;\n  for (',
  },
  {
    name: 'shorter parent claims are tried if the longest has no such member (L13)',
    file: 'claims/claim-set.ts',
    find: 'if (value !== undefined) return readMember(value, parent.members);',
    replace:
      'const reached = value === undefined ? undefined : readMember(value, parent.members);\n if (reached !== undefined) return reached;',
  },
  {
    name: 'a path reaches a prototype (L13)',
    file: 'claims/claim-set.ts',
    find: '!Object.hasOwn(value, member)',
    replace: '!(member in value)',
  },
  {
    name: 'a path reaches into arrays (L13)',
    file: 'claims/claim-set.ts',
    find: '!isJsonObject(value)',
    replace: "typeof value !== 'object' || value === null",
  },
];

const RESULTS: readonly PlantedBug[] = [
  {
    name: 'a result expires with the last credential (L22)',
    file: 'evaluate.ts',
    find: '    if (expiresAt < earliest) earliest = expiresAt;',
    replace:
      '    if (expiresAt !== Number.POSITIVE_INFINITY && !(expiresAt <= earliest && earliest !== Number.POSITIVE_INFINITY)) earliest = expiresAt;',
  },
  {
    name: 'a result expires with the credential of the first claim (L22)',
    file: 'evaluate.ts',
    find: '    if (expiresAt < earliest) earliest = expiresAt;',
    replace: '    if (earliest === Number.POSITIVE_INFINITY) earliest = expiresAt;',
  },
  {
    name: 'a result expires after its lifetime, even if all credentials are valid longer (L22)',
    file: 'evaluate.ts',
    find: 'Math.min(expiry, LAST_INSTANT)',
    replace: 'Math.min(expiry, LAST_INSTANT, claims.metadata.at + resultLifetimeSeconds * MS_PER_SECOND)',
  },
  {
    name: 'the lifetime is in milliseconds (L22)',
    file: 'evaluate.ts',
    find: 'resultLifetimeSeconds * MS_PER_SECOND',
    replace: 'resultLifetimeSeconds',
  },
  {
    name: 'an undefined claim is omitted from the data (L23)',
    file: 'evaluate.ts',
    find: 'data.push([claim.path, value]);\n    if (whole === undefined) continue;',
    replace: 'if (whole === undefined) continue;\n data.push([claim.path, value]);',
  },
  {
    name: 'used claims disclose the complete value (L23)',
    file: 'evaluate.ts',
    find: 'claimsUsed.push({ path: claim.path, value });',
    replace: 'claimsUsed.push({ path: claim.path, value: whole });',
  },
  {
    name: 'a claim is not listed as used if its lens does not fit (L23)',
    file: 'evaluate.ts',
    find: 'if (whole === undefined) continue;',
    replace: 'if (whole === undefined || value === null) continue;',
  },
  {
    name: 'the cost of matching is not limited (L7)',
    file: 'compile/guards.ts',
    find: 'if (!checks.some(({ pattern }) => pattern !== undefined))',
    replace: 'if (checks.length > 0)',
  },
];

export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...OPERATORS,
  ...INSTANTS,
  ...POLICIES,
  ...LENSES,
  ...GATE,
  ...EVIDENCE,
  ...CLAIMS,
  ...RESULTS,
];
