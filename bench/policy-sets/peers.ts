/** Other engines that count the policies that a person passes. */
import { createRequire } from 'node:module';
import { DuckDBInstance } from '@duckdb/node-api';
import { LogicEngine } from 'json-logic-engine';
import { Engine, type TopLevelCondition } from 'json-rules-engine';
import { matchRegex, startsWith, toJsonLogic } from '../contenders/json-logic.js';
import { cachedPattern } from '../contenders/pattern.js';
import { flatName } from '../scenarios/claims.js';
import type { DrawnCheck, DrawnClaims, DrawnItem, DrawnPolicy } from '../scenarios/policy-sets.js';

/** Returns how many policies a person passes. */
type CountPassed = (person: DrawnClaims) => number | Promise<number>;

export interface Peer {
  readonly name: string;
  /** The number of policies in its measurement: small for engines that are slow. */
  readonly policies: number;
  prepare(policies: readonly DrawnPolicy[]): Promise<CountPassed>;
}

export const PEERS: readonly Peer[] = [
  { name: 'json-logic-engine, each compiled', policies: 10_000, prepare: prepareJsonLogic },
  { name: 'DuckDB, a table of checks', policies: 100_000, prepare: prepareDuckDb },
  { name: 'json-rules-engine', policies: 1_000, prepare: prepareRules },
  { name: 'nools (Rete)', policies: 200, prepare: prepareRete },
];

async function prepareJsonLogic(policies: readonly DrawnPolicy[]): Promise<CountPassed> {
  const engine = new LogicEngine();
  engine.addMethod('startsWith', (args: readonly [string, string]) => startsWith(...args), {
    deterministic: true,
  });
  engine.addMethod('matchRegex', (args: readonly [string, string]) => matchRegex(...args), {
    deterministic: true,
  });
  engine.addMethod('contains', (args: readonly [string[], string]) => args[0].includes(args[1]), {
    deterministic: true,
  });
  const compiled = policies.map(
    (policy) => engine.build(toJsonLogic(wrapped(policy)) as never) as (claims: unknown) => unknown,
  );
  return (person) => {
    const flat = flatClaims(person);
    let count = 0;
    for (const passes of compiled) if (passes(flat) === true) count += 1;
    return count;
  };
}

const RULE_OPERATORS: Readonly<Record<string, string>> = {
  '==': 'equal',
  '!=': 'notEqual',
  '>=': 'greaterThanInclusive',
  '<': 'lessThan',
};

async function prepareRules(policies: readonly DrawnPolicy[]): Promise<CountPassed> {
  const engine = new Engine();
  engine.addOperator('startsWith', (text: string, prefix: string) => text.startsWith(prefix));
  engine.addOperator('matchRegex', (text: string, pattern: string) => cachedPattern(pattern).test(text));
  engine.addOperator('since', (date: string, bound: string) => date >= bound);
  engine.addOperator('before', (date: string, bound: string) => date < bound);
  const toCondition = (item: DrawnItem): object => {
    if ('not' in item) return { not: toCondition(item.not) };
    if ('anyOf' in item) return { any: item.anyOf.map(toCondition) };
    const { claim, operator, value } = item;
    const isDate = typeof value === 'string' && (operator === '>=' || operator === '<');
    const name = isDate ? { '>=': 'since', '<': 'before' }[operator] : (RULE_OPERATORS[operator] ?? operator);
    return { fact: flatName(claim), operator: name, value };
  };
  for (const { policy } of policies)
    engine.addRule({
      conditions: { all: policy.allOf.map(toCondition) } as unknown as TopLevelCondition,
      event: { type: 'passed' },
    });
  return async (person) => (await engine.run(flatClaims(person))).events.length;
}

/** The part of nools that is used; the package has no types. */
interface Rete {
  flow(
    name: string,
    define: (flow: { rule(name: string, constraints: unknown, action: () => void): void }) => void,
  ): {
    getSession(fact: object): { match(): Promise<void>; dispose(): void };
  };
}

async function prepareRete(policies: readonly DrawnPolicy[]): Promise<CountPassed> {
  const nools = createRequire(import.meta.url)('nools') as Rete;
  class Person {
    readonly claims: DrawnClaims;
    constructor(claims: DrawnClaims) {
      this.claims = claims;
    }
  }
  let count = 0;
  // Equal items have one constraint, so that the network shares their nodes.
  const constraints = new Map<string, (facts: { readonly p: Person }) => boolean>();
  const constraint = (item: DrawnItem) => {
    const key = JSON.stringify(item);
    const known = constraints.get(key) ?? (({ p }) => holds(item, p.claims));
    constraints.set(key, known);
    return known;
  };
  const flow = nools.flow('policies', (definition) => {
    for (const [index, { policy }] of policies.entries()) {
      const patterns = policy.allOf.map((item) => [Person, 'p', constraint(item)]);
      definition.rule(`policy ${index}`, patterns, () => {
        count += 1;
      });
    }
  });
  return async (person) => {
    count = 0;
    const session = flow.getSession(new Person(person));
    await session.match();
    session.dispose();
    return count;
  };
}

/** One row per check, with the number of its item. An item holds if at least one of its checks holds; a negated item, if its check does not. */
const DUCKDB_TABLES = `
  create table checks (policy integer, item integer, negated boolean, claim varchar, operator varchar,
    number double, text varchar, list varchar[]);
  create table person (claim varchar, number double, text varchar, list varchar[]);`;

const DUCKDB_MATCH = `
  select count(*) from (
    select policy from (
      select policy, item, bool_or(case operator
        when '==' then p.text = c.text when '!=' then p.text <> c.text
        when 'in' then list_contains(c.list, p.text) when 'notIn' then not list_contains(c.list, p.text)
        when '>=' then p.number >= c.number when '<' then p.number < c.number
        when 'contains' then list_contains(p.list, c.text) when 'startsWith' then starts_with(p.text, c.text)
        when 'matchRegex' then regexp_matches(p.text, c.text) end) <> any_value(negated) as holds
      from checks c join person p using (claim) group by policy, item)
    group by policy having bool_and(holds))`;

async function prepareDuckDb(policies: readonly DrawnPolicy[]): Promise<CountPassed> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await connection.run(DUCKDB_TABLES);
  const appender = await connection.createAppender('checks');
  const text = (value: string | undefined) =>
    value === undefined ? appender.appendNull() : appender.appendVarchar(value);
  const { LIST, VARCHAR } = await import('@duckdb/node-api');
  for (const [policy, { policy: body }] of policies.entries()) {
    for (const [item, drawn] of body.allOf.entries()) {
      const isNegated = 'not' in drawn;
      const checks = checksOf(drawn);
      for (const { claim, operator, value } of checks) {
        const cells = toCells(value, operator === '>=' || operator === '<');
        appender.appendInteger(policy);
        appender.appendInteger(item);
        appender.appendBoolean(isNegated);
        appender.appendVarchar(claim);
        appender.appendVarchar(operator);
        if (cells.number === undefined) appender.appendNull();
        else appender.appendDouble(cells.number);
        text(cells.text);
        if (cells.list === undefined) appender.appendNull();
        else appender.appendList([...cells.list], LIST(VARCHAR));
        appender.endRow();
      }
    }
  }
  appender.closeSync();
  return async (person) => {
    await connection.run('delete from person');
    const people = await connection.createAppender('person');
    for (const [claim, value] of Object.entries(person)) {
      const cells = toCells(value, true);
      people.appendVarchar(claim);
      if (cells.number === undefined) people.appendNull();
      else people.appendDouble(cells.number);
      if (Array.isArray(value)) people.appendNull();
      else people.appendVarchar(String(value));
      if (cells.list === undefined) people.appendNull();
      else people.appendList([...cells.list], LIST(VARCHAR));
      people.endRow();
    }
    people.closeSync();
    const reader = await connection.runAndReadAll(DUCKDB_MATCH);
    return Number(reader.getRows()[0]?.[0]);
  };
}

function checksOf(item: DrawnItem): readonly DrawnCheck[] {
  if ('not' in item) return [item.not];
  return 'anyOf' in item ? item.anyOf : [item];
}

interface Cells {
  readonly number?: number;
  readonly text?: string;
  readonly list?: readonly string[];
}

/** Returns the columns of a value. @param isOrdered - Whether a date is compared as a number. */
function toCells(value: DrawnCheck['value'], isOrdered: boolean): Cells {
  if (typeof value === 'number') return { number: value };
  if (typeof value === 'boolean') return { text: String(value) };
  if (typeof value !== 'string') return { list: value };
  const instant = isOrdered && /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? { text: value } : { number: instant };
}

function holds(item: DrawnItem, claims: DrawnClaims): boolean {
  if ('not' in item) return !holds(item.not, claims);
  if ('anyOf' in item) return item.anyOf.some((each) => holds(each, claims));
  const { claim, operator, value } = item;
  // Every person has every claim, of the type of the operand.
  const own = claims[claim] as string;
  switch (operator) {
    case '==':
      return own === value;
    case '!=':
      return own !== value;
    case 'in':
      return (value as readonly string[]).includes(own);
    case 'notIn':
      return !(value as readonly string[]).includes(own);
    case '>=':
      return own >= (value as string);
    case '<':
      return own < (value as string);
    case 'contains':
      return (own as unknown as readonly string[]).includes(value as string);
    case 'startsWith':
      return startsWith(own, value as string);
    default:
      return matchRegex(own, value as string);
  }
}

/** Returns a policy as a parsed query, whose checks have wrappers. */
function wrapped({ policy }: DrawnPolicy): Parameters<typeof toJsonLogic>[0] {
  const wrap = (item: DrawnItem): object => {
    if ('not' in item) return { policy: { not: wrap(item.not) } };
    return 'anyOf' in item ? { policy: { anyOf: item.anyOf.map(wrap) } } : { check: item };
  };
  // Items with their wrappers are what parsing returns.
  return { policy: { allOf: policy.allOf.map(wrap) } } as Parameters<typeof toJsonLogic>[0];
}

function flatClaims(person: DrawnClaims): Record<string, DrawnClaims[string]> {
  return Object.fromEntries(Object.entries(person).map(([path, value]) => [flatName(path), value]));
}
