/** Bugs to plant in the engine, one at a time: a text that occurs once in a file, and its replacement. */

/** One bug. */
export interface PlantedBug {
  /** The effect, and the requirement that it violates. */
  readonly name: string;
  /** Path from `src/engine/`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Whether the text occurs several times, and all occurrences are replaced. */
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
    name: '== tells −0 from 0 (L16)',
    file: 'operators/operators.ts',
    find: "'==': equality((operand) => (value) => jsonEquals(value, operand))",
    replace:
      "'==': equality((operand) => (value) => (typeof value === 'number' ? Object.is(value, operand) : jsonEquals(value, operand)))",
  },
  {
    name: '== knows no objects and arrays (L16)',
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
    name: 'dates are read as the host reads them (L17)',
    file: 'operators/operators.ts',
    find: '(parseInstant(value) ?? Number.NaN)',
    replace: 'Date.parse(value)',
  },
  {
    name: 'dates are compared as texts (L17)',
    file: 'operators/operators.ts',
    find: 'return (value) => holds(toInstant(value), instant);',
    replace:
      'return (value) => holds(Number(String(value) >= String(operand)), Number.isNaN(instant) ? 1 : 0.5);',
  },
  {
    name: 'in folds the case of what it looks for among many texts (L16)',
    file: 'operators/operators.ts',
    find: 'primitives.has(value)',
    replace: "primitives.has(typeof value === 'string' ? value.toLowerCase() : value)",
  },
  {
    name: 'in knows all but the first of many texts (L18)',
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
    name: 'in knows no objects and arrays (L16)',
    file: 'operators/operators.ts',
    find: 'list.some((element) => jsonEquals(element, value))',
    replace: 'list.includes(value)',
  },
  {
    name: 'in looks at the first element only (L18)',
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
    name: 'contains looks into strings (L15)',
    file: 'operators/operators.ts',
    find: 'isJsonArray(value) && value.some(',
    replace:
      '(typeof value === "string" && value.includes(String(operand))) || isJsonArray(value) && value.some(',
  },
  {
    name: 'contains looks at the first element only (L18)',
    file: 'operators/operators.ts',
    find: 'isJsonArray(value) && value.some(',
    replace: 'isJsonArray(value) && value.slice(0, 1).some(',
  },
  {
    name: 'startsWith looks anywhere (L18)',
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
    name: 'startsWith normalises (L16)',
    file: 'operators/operators.ts',
    find: 'value.startsWith(prefix)',
    replace: 'value.normalize().startsWith(prefix.normalize())',
  },
  {
    name: 'matchRegex matches what is no string (L15)',
    file: 'operators/operators.ts',
    find: "typeof value === 'string' && pattern.test(value)",
    replace: 'pattern.test(String(value))',
  },
  {
    name: 'matchRegex looks at the first line only (L18)',
    file: 'operators/operators.ts',
    find: 'pattern.test(value)',
    replace: "pattern.test(value.split('\\n')[0] as string)",
  },
  {
    name: 'isDefined takes null for undefined (L12)',
    file: 'operators/operators.ts',
    find: 'test: () => () => true',
    replace: 'test: () => (value) => value !== null',
  },
  {
    name: 'objects with more members are equal (L16)',
    file: 'claims/json-value.ts',
    find: 'names.length === Object.keys(right).length &&',
    replace: '',
  },
  {
    name: 'longer arrays are equal (L16)',
    file: 'claims/json-value.ts',
    find: 'left.length === right.length && left.every',
    replace: 'left.every',
  },
  {
    name: 'a member that the other lacks is equal (L16)',
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
    name: 'offsets count the other way (L17)',
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
    name: 'there are no leap seconds (L17)',
    file: 'claims/instant.ts',
    find: '[0-5]\\d|60)',
    replace: '[0-5]\\d)',
  },
  {
    name: 'a leap second may stand anywhere (L17)',
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
    name: 'allOf forgives one failure (L19)',
    file: 'compile/evidence.ts',
    find: '=== decisive) return decisive;\n    }\n    return !decisive;',
    replace: '=== decisive && (decisive || index > 0)) return decisive;\n    }\n    return !decisive;',
  },
  {
    name: 'anyOf wants all (L19)',
    file: 'compile/evidence.ts',
    find: 'decidedBy(item.items, true)',
    replace: 'decidedBy(item.items, false)',
  },
  {
    name: 'not does nothing (L19)',
    file: 'compile/evidence.ts',
    find: '!inner(outcomes)',
    replace: 'inner(outcomes)',
  },
  {
    name: 'allOf wants one, without evidence (L21)',
    file: 'compile/predicate.ts',
    find: 'toPredicate(each, next, fail), pass)',
    replace: 'toPredicate(each, pass, next), fail)',
  },
  {
    name: 'anyOf wants all, without evidence (L21)',
    file: 'compile/predicate.ts',
    find: 'toPredicate(each, pass, next), fail)',
    replace: 'toPredicate(each, next, fail), pass)',
  },
  {
    name: 'not does nothing, without evidence (L21)',
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
    name: 'a short list has no third entry (L18)',
    file: 'compile/fused-checks.ts',
    find: ' || value === third',
    replace: '',
    everywhere: true,
  },
  {
    name: 'what follows a check of equality does not count, without evidence (L19)',
    file: 'compile/fused-checks.ts',
    find: 'value === operand && pass(claims)',
    replace: 'value === operand',
    everywhere: true,
  },
  {
    name: 'what follows a comparison counts where that fails, without evidence (L19)',
    file: 'compile/fused-checks.ts',
    find: ' operand && pass(claims)',
    replace: ' operand || pass(claims)',
    everywhere: true,
  },
  {
    name: 'the gate forgets one claim (L20)',
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
    name: 'pick without fields takes arrays for objects (L23)',
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
    name: 'pick gives null where no field is there (L23)',
    file: 'lenses.ts',
    find: 'return Object.fromEntries(present',
    replace: 'return present.length === 0 ? null : Object.fromEntries(present',
  },
  {
    name: 'at knows no negative index (L5)',
    file: 'lenses.ts',
    find: 'value.at(index)',
    replace: 'value[index]',
  },
  {
    name: 'at looks into strings (L23)',
    file: 'lenses.ts',
    find: '(isJsonArray(value) ? (value.at(index) ?? null) : null)',
    replace: "(isJsonArray(value) || typeof value === 'string' ? (value.at(index) ?? null) : null)",
  },
];

const GATE: readonly PlantedBug[] = [
  {
    name: 'what no scope covers is open (L20)',
    file: 'compile/guards.ts',
    find: 'catalogue.coveringScopes(claim).some((scope) => held.has(scope));',
    replace:
      'catalogue.coveringScopes(claim).length === 0 || catalogue.coveringScopes(claim).some((scope) => held.has(scope));',
  },
  {
    name: 'the gate is open (L20)',
    file: 'compile/guards.ts',
    find: 'if (missing.length > 0)',
    replace: 'if (missing.length > 1)',
  },
  {
    name: 'the gate wants every covering scope (L20)',
    file: 'compile/guards.ts',
    find: 'catalogue.coveringScopes(claim).some(',
    replace: 'catalogue.coveringScopes(claim).every(',
  },
  {
    name: 'only the first uncovered claim is told (L20)',
    file: 'compile/guards.ts',
    find: 'QueryError.forMissingScopes(missing)',
    replace: 'QueryError.forMissingScopes(missing.slice(0, 1))',
  },
  {
    name: 'implied scopes are ignored (L20)',
    file: 'scopes/catalogue.ts',
    find: 'closures.get(name) ?? []',
    replace: 'closures.has(name) ? [name] : []',
  },
  {
    name: 'scopes imply one level down (L20)',
    file: 'scopes/catalogue.ts',
    find: 'close(further, implied, [...path, name])',
    replace: '[further]',
  },
  {
    name: 'a scope covers only what it lists, nothing below (L20)',
    file: 'scopes/catalogue.ts',
    find: "end = path.lastIndexOf('.', end - 1)",
    replace: 'end = 0',
  },
  {
    name: 'what covers a category covers what is listed below (L20)',
    file: 'scopes/catalogue.ts',
    find: 'path.slice(0, end)',
    replace: "path.split('.')[0] as string",
  },
];

const EVIDENCE: readonly PlantedBug[] = [
  {
    name: 'evidence ends where the question is settled (L21)',
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
    name: 'null is no actual value (L12)',
    file: 'evaluate.ts',
    find: 'actualValue === undefined',
    replace: 'actualValue == null',
  },
  {
    name: 'only checks that pass use a claim (L21)',
    file: 'evaluate.ts',
    find: '    if (value === undefined) continue;\n    const { id',
    replace:
      '    if (value === undefined || !checkResults.some((one) => one.claim === reference.path && one.passed)) continue;\n    const { id',
  },
  {
    name: 'claims used stand in order of last use (L21)',
    file: 'compile/evidence.ts',
    find: 'for (const { claim } of checks) {',
    replace: 'for (const { claim } of [...checks].reverse()) {',
  },
  {
    name: 'claims used stand in order of their paths (L21)',
    file: 'compile/evidence.ts',
    find: 'claims: [...claims.values()]',
    replace: 'claims: [...claims.values()].sort((a, b) => (a.path < b.path ? -1 : 1))',
  },
  {
    name: 'a claim is listed as often as it is used (L21)',
    file: 'compile/evidence.ts',
    find: 'claims: [...claims.values()]',
    replace: 'claims: checks.map(({ claim }) => claim)',
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
    name: 'isDefined shows no operand (L21)',
    file: 'compile/plan.ts',
    find: 'value === undefined ? true : value',
    replace: 'value as never',
  },
  {
    name: 'members are shown as the credential lists them (L24)',
    file: 'claims/json-value.ts',
    find: 'Object.keys(object).sort()',
    replace: 'Object.keys(object)',
  },
  {
    name: 'a member named __proto__ is lost (L24)',
    file: 'claims/json-value.ts',
    find: 'return Object.fromEntries(members);',
    replace: 'return Object.assign({}, ...members.map(([name, member]) => ({ [name]: member })));',
  },
  {
    name: 'a written answer forgets a value that was shown before (L24)',
    file: 'claims/claim-set.ts',
    find: 'if (known !== undefined) return known;',
    replace: 'if (known !== undefined) return "null";',
  },
  {
    name: 'a written answer shows no value that a longer path reaches (L13)',
    file: 'compile/result-serializer.ts',
    find: 'return value === undefined ? undefined : JSON.stringify(value);',
    replace: 'return undefined;',
  },
];

const CLAIMS: readonly PlantedBug[] = [
  {
    name: 'the credential issued first speaks (L11)',
    file: 'claims/claim-set.ts',
    find: 'candidate.issuedAt > current.issuedAt',
    replace: 'candidate.issuedAt < current.issuedAt',
  },
  {
    name: 'of those issued together the largest id speaks (L11)',
    file: 'claims/claim-set.ts',
    find: 'candidate.id < current.id',
    replace: 'candidate.id > current.id',
  },
  {
    name: 'of those issued together the first in the list speaks (L11)',
    file: 'claims/claim-set.ts',
    find: 'candidate.id < current.id',
    replace: 'false',
  },
  {
    name: 'ids are ordered by alphabet (L11)',
    file: 'claims/claim-set.ts',
    find: 'candidate.id < current.id',
    replace: "candidate.id.localeCompare(current.id, 'en') < 0",
  },
  {
    name: 'a credential does not speak when it is issued (L10)',
    file: 'claims/credential.ts',
    find: 'credential.issuedAt <= at',
    replace: 'credential.issuedAt < at',
  },
  {
    name: 'a credential still speaks when it expires (L10)',
    file: 'claims/credential.ts',
    find: 'at < credential.expiresAt',
    replace: 'at <= credential.expiresAt',
  },
  {
    name: 'a credential still speaks when it is revoked (L10)',
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
    name: 'claims nest one deeper (L12)',
    file: 'claims/json-value.ts',
    find: 'MAX_VALUE_DEPTH = 16',
    replace: 'MAX_VALUE_DEPTH = 17',
  },
  {
    name: 'claims nest one less deep (L12)',
    file: 'claims/json-value.ts',
    find: 'MAX_VALUE_DEPTH = 16',
    replace: 'MAX_VALUE_DEPTH = 15',
  },
  {
    name: 'the shortest path carries (L13)',
    file: 'claims/claim-path.ts',
    find: 'let count = segments.length - 1; count >= 2; count -= 1',
    replace: 'let count = 2; count < segments.length; count += 1',
  },
  {
    name: 'a claim of its own is not looked for (L13)',
    file: 'claims/claim-set.ts',
    find: '  if (own !== undefined) return own;\n  for (',
    replace: '  if (own !== undefined && reference.parents.length === 0) return own;\n  for (',
  },
  {
    name: 'where the parent claim has no such member, shorter ones are tried (L13)',
    file: 'claims/claim-set.ts',
    find: 'if (value !== undefined) return readMember(value, parent);',
    replace:
      'const reached = value === undefined ? undefined : readMember(value, parent);\n if (reached !== undefined) return reached;',
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
    name: 'an answer holds until the last expiry (L22)',
    file: 'evaluate.ts',
    find: '    if (expiresAt < earliest) earliest = expiresAt;',
    replace:
      '    if (expiresAt !== Number.POSITIVE_INFINITY && !(expiresAt <= earliest && earliest !== Number.POSITIVE_INFINITY)) earliest = expiresAt;',
  },
  {
    name: 'an answer holds until the first claim expires (L22)',
    file: 'evaluate.ts',
    find: '    if (expiresAt < earliest) earliest = expiresAt;',
    replace: '    if (earliest === Number.POSITIVE_INFINITY) earliest = expiresAt;',
  },
  {
    name: 'an answer never holds longer than its lifetime (L22)',
    file: 'evaluate.ts',
    find: 'Math.min(expiry, LAST_INSTANT)',
    replace: 'Math.min(expiry, LAST_INSTANT, claims.at + resultLifetimeSeconds * MS_PER_SECOND)',
  },
  {
    name: 'the lifetime is taken for milliseconds (L22)',
    file: 'evaluate.ts',
    find: 'MS_PER_SECOND = 1_000',
    replace: 'MS_PER_SECOND = 1',
  },
  {
    name: 'an undefined claim is left out of the data (L23)',
    file: 'evaluate.ts',
    find: 'data.push([claim.path, value]);\n    if (whole === undefined) continue;',
    replace: 'if (whole === undefined) continue;\n data.push([claim.path, value]);',
  },
  {
    name: 'claims used disclose the whole value (L23)',
    file: 'evaluate.ts',
    find: 'claimsUsed.push({ path: claim.path, value });',
    replace: 'claimsUsed.push({ path: claim.path, value: defined.value });',
  },
  {
    name: 'a lens that does not fit leaves its claim unused (L23)',
    file: 'evaluate.ts',
    find: 'if (whole === undefined) continue;',
    replace: 'if (whole === undefined || value === null) continue;',
  },
  {
    name: 'matching may cost anything (L7)',
    file: 'compile/guards.ts',
    find: 'if (!checks.some(({ pattern }) => pattern !== undefined))',
    replace: 'if (checks.length > 0)',
  },
];

/** All bugs: operators, policies, lenses, the scope gate, evidence, precedence of attestations, expiry. */
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
