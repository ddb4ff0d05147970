/** Functions of generated modules, as text: what the engine does with records, claims, instants and credentials, without imports. */
import { FIRST_INSTANT, LAST_INSTANT } from '../engine/claims/instant.js';
import { MAX_VALUE_DEPTH } from '../engine/claims/json-value.js';

/** A helper, and the helpers that it calls. */
interface Helper {
  readonly needs: readonly HelperName[];
  readonly text: string;
}

const HELPER_NAMES = [
  'isPlain',
  'wrongType',
  'toClaims',
  'isPrimitive',
  'json',
  'isDefined',
  'fails',
  'find',
  'instant',
  'setNow',
  'instantOf',
  'attest',
] as const;

type HelperName = (typeof HELPER_NAMES)[number];

/** Helpers use `paths`, `inherits` and `LIFETIME_MS`, which the module itself defines. */
const HELPERS: Readonly<Record<HelperName, Helper>> = {
  isPlain: {
    needs: [],
    text: `
/** Whether a value is an object as \`JSON.parse\` creates it. */
const isPlain = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) &&
  Object.getPrototypeOf(Object.getPrototypeOf(value) ?? Object.prototype) === null;`,
  },
  wrongType: {
    needs: ['isPlain'],
    text: `
/** Creates the error for a value of a wrong type. */
function wrongType(name, required, value) {
  const found =
    typeof value === "number" || value === null || value === undefined ? String(value)
    : Array.isArray(value) ? "an array"
    : typeof value !== "object" ? "a " + typeof value
    : isPlain(value) ? "an object"
    : "an instance of " + Object.prototype.toString.call(value).slice(8, -1).replace(/^Object$/, "a class");
  return new TypeError(\`\${name} must be \${required} (got \${found})\`);
}`,
  },
  toClaims: {
    needs: ['isPlain', 'wrongType'],
    text: `
/** Whether a value is a claim set of Proviso. No JSON is: it has no functions. */
const isClaimSet = (value) => Array.isArray(value) && typeof value.metadata?.find === "function";

/** Returns the claims of a record that cannot be read directly: own members, or the claims of a claim set. */
function toClaims(record) {
  const isSet = isClaimSet(record);
  if (!isSet && !isPlain(record)) throw wrongType("\`record\`", "an object of claims, or a claim set", record);
  if (Object.getPrototypeOf(record) === Object.prototype && !inherits()) return record;
  const read = (path) =>
    isSet ? record.metadata.find(record, path)?.value : Object.hasOwn(record, path) ? record[path] : undefined;
  return Object.fromEntries(paths.map((path) => [path, read(path)]));
}`,
  },
  isPrimitive: {
    needs: [],
    text: `
const isPrimitive = (value) =>
  typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value);`,
  },
  json: {
    needs: ['isPrimitive', 'isPlain', 'wrongType'],
    text: `
/** Returns the value of a claim with sorted members; undefined where it nests too deep. Throws where it is not JSON. */
const json = (value, path) =>
  typeof value === "string" || typeof value === "boolean" || Number.isFinite(value) ? value
  : value === undefined ? undefined
  : copy(value, ${MAX_VALUE_DEPTH}, path, value);

function copy(value, depth, path, whole) {
  if (isPrimitive(value)) return value;
  if (typeof value === "object" && depth === 0) return undefined;
  if (Array.isArray(value)) {
    const elements = Array.from(value, (element) => copy(element, depth - 1, path, whole));
    return elements.includes(undefined) ? undefined : elements;
  }
  if (!isPlain(value)) throw wrongType(\`claim \\\`\${path}\\\`\`, "a JSON value with finite numbers", whole);
  const members = Object.keys(value).sort().map((name) => [name, copy(value[name], depth - 1, path, whole)]);
  return members.some(([, member]) => member === undefined) ? undefined : Object.fromEntries(members);
}`,
  },
  isDefined: {
    needs: ['json'],
    text: `
/** Whether a claim is defined. Throws where it is not JSON. */
const isDefined = (value, path) => json(value, path) !== undefined;`,
  },
  fails: {
    needs: ['isDefined'],
    text: `
/** Fails the check of a claim that is undefined or of another type. Throws where it is not JSON. */
const fails = (value, path) => isDefined(value, path) && false;`,
  },
  find: {
    needs: ['json', 'isPlain'],
    text: `
/** Finds a claim: its own value, or a member of the nearest parent claim that is defined. */
function find(record, path) {
  const own = json(record[path], path);
  if (own !== undefined) return own;
  for (let end = path.lastIndexOf("."); end > path.indexOf("."); end = path.lastIndexOf(".", end - 1)) {
    const parent = path.slice(0, end);
    const value = json(record[parent], parent);
    if (value === undefined) continue;
    const member = (object, name) => (isPlain(object) && Object.hasOwn(object, name) ? object[name] : undefined);
    return path.slice(end + 1).split(".").reduce(member, value);
  }
  return undefined;
}`,
  },
  instant: {
    needs: [],
    text: `
const RFC_3339 =
  /^(\\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(?:[Tt]([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d|60)(?:\\.(\\d+))?(?:[Zz]|([+-])([01]\\d|2[0-3]):([0-5]\\d)))?$/;

/** Returns the epoch milliseconds of an RFC 3339 date or date-time; NaN, which no comparison passes, for any other string. */
function instant(text) {
  const parts = RFC_3339.exec(text);
  if (parts === null) return NaN;
  const [, year, month, day, hour, minute, second, fraction = "", sign, offsetHour = 0, offsetMinute = 0] = parts;
  // \`Date.UTC\` reads the years 0 to 99 as 1900 to 1999; the calendar repeats after 400 years.
  const midnight = Date.UTC(Number(year) + 400, month - 1, day) - 146097 * 86400000;
  if (day > 28 && new Date(midnight).getUTCDate() !== Number(day)) return NaN;
  if (hour === undefined) return midnight;
  const offset = (sign === "-" ? -1 : 1) * (offsetHour * 60 + Number(offsetMinute));
  const at = midnight + (hour * 60 + Number(minute) - offset) * 60000 + second * 1000;
  // A leap second ends a month; its fractions are ignored.
  if (second === "60") return at % 86400000 === 0 && new Date(at).getUTCDate() === 1 ? at : NaN;
  return at + Number(fraction.slice(0, 3).padEnd(3, "0"));
}`,
  },
  setNow: {
    needs: ['wrongType'],
    text: `
// The last instant of evaluation, and the times in its results.
let now = NaN;
let evaluatedAt = "";
let expiresAt = "";

const format = (at) => new Date(Math.min(at, ${LAST_INSTANT})).toISOString();

function setNow(at) {
  const required = "a whole number of milliseconds in the years 0000 to 9999";
  if (typeof at !== "number") throw wrongType("\`now\`", required, at);
  if (!Number.isSafeInteger(at) || at < ${FIRST_INSTANT} || at > ${LAST_INSTANT})
    throw new RangeError(\`\\\`now\\\` must be \${required} (got \${at})\`);
  now = at;
  evaluatedAt = format(at);
  expiresAt = format(at + LIFETIME_MS);
}`,
  },
  instantOf: {
    needs: ['toClaims', 'setNow'],
    text: `
/** Returns the instant of evaluation: that of a claim set, which \`now\` must not contradict. */
function instantOf(record, now) {
  const at = isClaimSet(record) ? record.metadata.at : NaN;
  if (Number.isNaN(at) || at === now) return now;
  if (now === undefined) return at;
  setNow(now);
  throw new RangeError(\`\\\`now\\\` must be the instant of the claim set, \${at} (got \${now})\`);
}`,
  },
  attest: {
    needs: ['toClaims', 'setNow'],
    text: `
/** Adds the credentials of a claim set to the used claims. Returns when the first of them expires. */
function attest(record, claimsUsed) {
  if (!isClaimSet(record)) return expiresAt;
  let earliest = Infinity;
  for (const claim of claimsUsed) {
    const { credential } = record.metadata.find(record, claim.path);
    claim.credentialId = credential.id;
    claim.source = credential.source;
    earliest = Math.min(earliest, credential.expiresAt ?? Infinity);
  }
  return earliest === Infinity ? expiresAt : format(earliest);
}`,
  },
};

/** Renders the helpers that a text calls, with those that they call in turn, in a fixed order. */
export function renderHelpers(text: string): string {
  const needed = new Set<HelperName>();
  const add = (name: HelperName): void => {
    needed.add(name);
    HELPERS[name].needs.forEach(add);
  };
  for (const name of HELPER_NAMES) if (text.includes(`${name}(`)) add(name);
  return HELPER_NAMES.filter((name) => needed.has(name))
    .map((name) => HELPERS[name].text)
    .join('\n');
}
