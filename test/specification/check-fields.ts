/** Compares responses of the service with the tables of the interface specification, one row per field. */
import { readFileSync } from 'node:fs';

/** One row of a table of the specification: a field of a resource. */
export interface FieldRow {
  readonly resource: string;
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array<string>' | 'array<object>' | 'any';
  /** According to the specification. */
  readonly required: 'yes' | 'no' | 'not shown';
  /** According to the contract: whether every instance of the resource has the field, some have it, or none. */
  readonly present: 'always' | 'sometimes' | 'never';
  readonly values?: readonly string[];
  readonly note?: string;
  readonly format?: 'iso-8601-utc-ms';
  /** Locations of the resource: an endpoint, `#`, and a JSON Pointer into its responses, in which `*` matches every index. */
  readonly from: readonly string[];
}

/** A sentence of the specification that describes behavior. */
export interface Statement {
  readonly id: string;
  readonly section: string;
  readonly text: string;
}

/** Response bodies by endpoint. */
export type RecordedResponses = ReadonlyMap<string, readonly unknown[]>;

type Instance = Record<string, unknown>;

export const FIELDS = read<readonly FieldRow[]>('fields.json');
export const STATEMENTS = read<readonly Statement[]>('statements.json');

/** Resources to which other standards (RFC 8414, OpenID Connect Discovery) add members. */
const EXTENSIBLE: ReadonlySet<string> = new Set([
  'Service discovery document',
  'Standard discovery document',
]);
const ISO_8601_UTC_MS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Problems of a field in the responses; empty if every instance matches the row. */
export function fieldProblems(row: FieldRow, responses: RecordedResponses): readonly string[] {
  const problems: string[] = [];
  for (const location of row.from) {
    const instances = instancesAt(location, responses);
    const values = instances.flatMap((instance) =>
      Object.hasOwn(instance, row.name) ? [instance[row.name]] : [],
    );
    const where = `\`${row.name}\` at ${location}`;
    if (instances.length === 0) problems.push(`no response has ${location}`);
    if (row.present === 'never' && values.length > 0) problems.push(`${where} must be absent`);
    if (row.present === 'always' && values.length < instances.length)
      problems.push(`${where} is absent from ${instances.length - values.length} of ${instances.length}`);
    // An optional field must be present in at least one location.
    if (row.present === 'sometimes' && !isSomewhere(row, responses))
      problems.push(`${where} is never present`);
    for (const value of values)
      if (!matchesRow(value, row))
        problems.push(`${where} must match ${requirementOf(row)} (got ${JSON.stringify(value)})`);
  }
  return problems;
}

/** Members that no row of their resource describes. */
export function unknownMembers(rows: readonly FieldRow[], responses: RecordedResponses): readonly string[] {
  const known = new Map<string, Set<string>>();
  for (const { resource, name, from } of rows)
    for (const location of from)
      if (!EXTENSIBLE.has(resource)) known.set(location, (known.get(location) ?? new Set()).add(name));
  return [...known].flatMap(([location, names]) =>
    instancesAt(location, responses).flatMap((instance) =>
      Object.keys(instance)
        .filter((name) => !names.has(name))
        .map((name) => `\`${name}\` at ${location}`),
    ),
  );
}

/** A copy of the responses in which a field has another name. */
export function withRenamedField({ from, name }: FieldRow, responses: RecordedResponses): RecordedResponses {
  const changed = structuredClone(responses) as RecordedResponses;
  for (const location of from) {
    for (const instance of instancesAt(location, changed)) {
      if (!Object.hasOwn(instance, name)) continue;
      instance[`${name}_renamed`] = instance[name];
      delete instance[name];
    }
  }
  return changed;
}

function isSomewhere({ from, name }: FieldRow, responses: RecordedResponses): boolean {
  return from.some((location) =>
    instancesAt(location, responses).some((instance) => Object.hasOwn(instance, name)),
  );
}

function instancesAt(location: string, responses: RecordedResponses): readonly Instance[] {
  const [endpoint = '', pointer = ''] = location.split('#');
  let nodes = responses.get(endpoint) ?? [];
  for (const segment of pointer.split('/').slice(1))
    nodes = nodes.flatMap((node) => (segment === '*' ? elementsOf(node) : memberOf(node, segment)));
  return nodes.filter(isObject);
}

function elementsOf(node: unknown): readonly unknown[] {
  return Array.isArray(node) ? node : [];
}

function memberOf(node: unknown, name: string): readonly unknown[] {
  return isObject(node) && Object.hasOwn(node, name) ? [node[name]] : [];
}

function isObject(value: unknown): value is Instance {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns what a value must match, for messages. */
function requirementOf({ type, values, format }: FieldRow): string {
  return [
    type,
    ...(format === undefined ? [] : [format]),
    ...(values === undefined ? [] : [values.join(' | ')]),
  ].join(', ');
}

function matchesRow(value: unknown, { type, values, format }: FieldRow): boolean {
  if (values !== undefined && !values.some((one) => one === value)) return false;
  if (format !== undefined && !ISO_8601_UTC_MS.test(String(value))) return false;
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    case 'object':
      return isObject(value);
    case 'array<string>':
      return Array.isArray(value) && value.every((one) => typeof one === 'string');
    case 'array<object>':
      return Array.isArray(value) && value.every(isObject);
    case 'any':
      return true;
  }
}

function read<Rows>(name: string): Rows {
  // Trusted data; a row of another shape fails its test.
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as Rows;
}
