/** Holds what a service answered against the tables of the interface specification, one row a field. */
import { readFileSync } from 'node:fs';

/** One row of a table of the specification. */
export interface FieldRow {
  readonly resource: string;
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array<string>' | 'array<object>' | 'any';
  /** As the specification says. */
  readonly required: 'yes' | 'no' | 'not shown';
  /** As the contract says: in every instance of the resource, in some, or in none. */
  readonly present: 'always' | 'sometimes' | 'never';
  readonly values?: readonly string[];
  readonly note?: string;
  readonly format?: 'iso-8601-utc-ms';
  /** Where instances of the resource are: an endpoint, `#`, and a JSON Pointer into its answers, in which `*` stands for every index. */
  readonly from: readonly string[];
}

/** A sentence of the specification that describes behavior. */
export interface Statement {
  readonly id: string;
  readonly section: string;
  readonly text: string;
}

/** Answers by the endpoint that gave them. */
export type Answers = ReadonlyMap<string, readonly unknown[]>;

type Instance = Record<string, unknown>;

export const FIELDS = read<readonly FieldRow[]>('fields.json');
export const STATEMENTS = read<readonly Statement[]>('statements.json');

/** Resources to which other standards add members: RFC 8414 and OpenID Connect Discovery. */
const OPEN: ReadonlySet<string> = new Set(['Service discovery document', 'Standard discovery document']);
const ISO_8601_UTC_MS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** What is wrong with a field in the answers; nothing where every instance has it as the row says. */
export function fieldProblems(row: FieldRow, answers: Answers): readonly string[] {
  const problems: string[] = [];
  for (const place of row.from) {
    const instances = instancesAt(place, answers);
    const values = instances.flatMap((instance) =>
      Object.hasOwn(instance, row.name) ? [instance[row.name]] : [],
    );
    const where = `\`${row.name}\` at ${place}`;
    if (instances.length === 0) problems.push(`no answer has ${place}`);
    if (row.present === 'never' && values.length > 0) problems.push(`${where} must be absent`);
    if (row.present === 'always' && values.length < instances.length)
      problems.push(`${where} is absent from ${instances.length - values.length} of ${instances.length}`);
    // In one of the places is enough for what may be absent.
    if (row.present === 'sometimes' && !isSomewhere(row, answers)) problems.push(`${where} is never present`);
    for (const value of values)
      if (!fits(value, row))
        problems.push(`${where} must be of type ${row.type} (got ${JSON.stringify(value)})`);
  }
  return problems;
}

/** The members that no row of their resource names. */
export function unknownMembers(rows: readonly FieldRow[], answers: Answers): readonly string[] {
  const known = new Map<string, Set<string>>();
  for (const { resource, name, from } of rows)
    for (const place of from)
      if (!OPEN.has(resource)) known.set(place, (known.get(place) ?? new Set()).add(name));
  return [...known].flatMap(([place, names]) =>
    instancesAt(place, answers).flatMap((instance) =>
      Object.keys(instance)
        .filter((name) => !names.has(name))
        .map((name) => `\`${name}\` at ${place}`),
    ),
  );
}

/** The answers with a field under another name. */
export function renamed({ from, name }: FieldRow, answers: Answers): Answers {
  const changed = structuredClone(answers) as Answers;
  for (const place of from) {
    for (const instance of instancesAt(place, changed)) {
      if (!Object.hasOwn(instance, name)) continue;
      instance[`${name}_renamed`] = instance[name];
      delete instance[name];
    }
  }
  return changed;
}

function isSomewhere({ from, name }: FieldRow, answers: Answers): boolean {
  return from.some((place) => instancesAt(place, answers).some((instance) => Object.hasOwn(instance, name)));
}

function instancesAt(place: string, answers: Answers): readonly Instance[] {
  const [endpoint = '', pointer = ''] = place.split('#');
  let nodes = answers.get(endpoint) ?? [];
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

function fits(value: unknown, { type, values, format }: FieldRow): boolean {
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
  // Our own data; a row that is not of this shape fails its test.
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as Rows;
}
