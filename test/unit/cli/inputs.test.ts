/** Queries, credentials, scopes and catalogues as arguments of the commands, and the messages about wrong ones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPerson } from '../../../src/cli/inputs/credentials.js';
import { type EvaluationOptions, readEvaluation } from '../../../src/cli/inputs/evaluation.js';
import { compilePolicyInput, compileQueryInput } from '../../../src/cli/inputs/query.js';
import { CommandError } from '../../../src/cli/output.js';

const adult = { claim: 'identity.age', operator: '>=', value: 18 };
const member = { claim: 'member.level', operator: '>=', value: 3 };
const catalogue = {
  scopes: [
    {
      name: 'member:read',
      category: 'member',
      sensitivity: 'low',
      display_name: 'Membership',
      description: 'Your membership.',
    },
  ],
  claims: [
    {
      path: 'member.level',
      type: 'integer',
      scope: 'member:read',
      sensitivity: 'low',
      description: 'Level of the member.',
    },
  ],
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proviso-inputs-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function save(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Reads a query and a person's claims from files, and evaluates the query. */
async function evaluate(query: unknown, person: unknown, options: EvaluationOptions) {
  const input = await readEvaluation(
    save('query.json', query),
    save('person.json', person),
    options,
    compileQueryInput,
  );
  const { claims } = await readPerson(input.credentials, input);
  return input.compiled.evaluate(claims, input);
}

/** The message with which a command rejects its input; files are named without their folder. */
async function rejection(query: unknown, options: EvaluationOptions, person: unknown = {}): Promise<string> {
  try {
    await evaluate(query, person, options);
  } catch (error) {
    if (error instanceof CommandError) return error.message.replaceAll(`${folder}/`, '');
    throw error;
  }
  throw new Error('the input was accepted');
}

const all = { allScopes: true };

describe('a query', () => {
  it('may have `$schema` at the top', async () => {
    const query = { $schema: './query.schema.json', check: adult };
    expect(await evaluate(query, { 'identity.age': 34 }, all)).toMatchObject({ passed: true });
  });

  it('that is not JSON is rejected with line, column and what is required', async () => {
    const text = '{\n  "check": {\n    "claim": "identity.age",\n  }\n}';
    expect(await rejection(text, all)).toBe(
      'query.json is not valid JSON (line 4, column 3): Expected a name in double quotes; a comma must not follow the last member.',
    );
  });

  it('with a repeated member is rejected, since one of the values would be ignored', async () => {
    const text = '{"check":{"claim":"identity.age","operator":">=","value":18,"value":3}}';
    expect(await rejection(text, all)).toContain('This name is repeated.');
  });

  it.each([
    [adult, 'A check must be wrapped in a query: {"check": {"claim":"identity.age",'],
    [{ allOf: [adult] }, 'A policy must be wrapped in a query: {"policy": {"allOf":'],
    [[adult], 'A list of checks must be wrapped in a policy'],
    [{ claim: 'identity.age', lens: 'pluck' }, 'A projection must be wrapped in a query: {"projections": ['],
    [{ '>=': [{ var: 'identity.age' }, 18] }, 'This resembles JSON-Logic.'],
    [
      { 'identity.age': 34 },
      'This is an object of claims, not a query. Where a command takes both, the query comes first.',
    ],
    [
      [{ id: 'c1', claims: {} }],
      'This is a list of credentials, not a query. Where a command takes both, the query comes first.',
    ],
  ])('that is %j is rejected with what is required', async (query, message) => {
    expect(await rejection(query, all)).toContain(`query.json is invalid:\n  (root): ${message}`);
  });

  it('has its problems reported before missing, unknown and insufficient scopes', async () => {
    const wrong = { check: { ...adult, operator: '=>' } };
    for (const options of [{}, { scope: 'identity:dob' }, { scope: 'kyc:read' }])
      expect(await rejection(wrong, options)).toContain('/check/operator: ');
  });

  it('must be a check or a policy if the command requires a policy', async () => {
    const query = save('query.json', { projections: [{ claim: 'identity.age', lens: 'pluck' }] });
    await expect(readEvaluation(query, undefined, {}, compilePolicyInput)).rejects.toThrow(
      'The query must be a check or a policy, not projections.',
    );
  });

  it('is required once: as a file or with `--query`', async () => {
    const inline = { query: JSON.stringify({ check: adult }), allScopes: true };
    const read = (...files: readonly string[]) =>
      readEvaluation(files[0], files[1], inline, compileQueryInput);
    expect(await read('person.json')).toMatchObject({ credentials: 'person.json' });
    await expect(read('query.json', 'person.json')).rejects.toThrow(
      'the only argument must be the credentials',
    );
    await expect(readEvaluation(undefined, undefined, {}, compileQueryInput)).rejects.toThrow(
      'a query is required: a file, - for standard input, or --query with the query itself',
    );
    await expect(readEvaluation('-', '-', {}, compileQueryInput)).rejects.toThrow('only one');
  });
});

describe('the scopes', () => {
  const query = { check: adult };

  it('are required, and the message names those that the query needs', async () => {
    expect(await rejection(query, {})).toBe(
      '--scope or --all-scopes is required; this query needs --scope "identity:date_of_birth"',
    );
  });

  it.each([
    ['identity:date_of_brith', 'identity:date_of_brith: did you mean identity:date_of_birth?'],
    ['identity:read identity:date', 'identity:date: did you mean identity:date_of_birth?'],
    ['xyz', '\n  xyz\nthis query needs --scope "identity:date_of_birth"'],
  ])('%s contain an unknown scope, and are rejected', async (scope, line) => {
    expect(await rejection(query, { scope })).toMatch(/^the catalogue has no such scope/);
    expect(await rejection(query, { scope })).toContain(line);
  });

  it('of another catalogue are rejected with the option that names it', async () => {
    const own = { check: { claim: 'library.level', operator: '==', value: 'gold' } };
    expect(await rejection(own, { scope: 'library:read' })).toMatch(
      /^the catalogue has no such scope .*\n {2}library:read\nFor claims of your own, use --catalogue <file>/,
    );
  });

  it('must be separated by spaces', async () => {
    expect(await rejection(query, { scope: 'identity:read,kyc:read' })).toBe(
      '--scope must be separated by spaces, not commas: --scope "identity:read kyc:read"',
    );
  });

  it('that do not cover a claim are rejected with those that would, or with the nearest claim', async () => {
    const scope = 'kyc:read';
    expect(await rejection(query, { scope })).toContain('\n  identity.age: --scope identity:date_of_birth');
    const misspelled = { check: { ...adult, claim: 'identity.agee' } };
    expect(await rejection(misspelled, {})).toContain('no scope covers it; did you mean identity.age?');
    const long = { check: { ...adult, claim: 'financial.trading_frequency_scroe' } };
    expect(await rejection(long, {})).toContain('; did you mean financial.trading_frequency_score?');
    expect(await rejection({ check: member }, all)).toContain('use --catalogue <file>, or --catalogue none');
  });

  it('must not be given by both options', async () => {
    expect(await rejection(query, { scope: 'openid', allScopes: true })).toContain(
      'must not be used together',
    );
  });
});

describe('the catalogue', () => {
  it('of a file has its own claims and scopes', async () => {
    const options = { catalogue: save('catalogue.json', catalogue) };
    const query = { check: member };
    const result = await evaluate(query, { 'member.level': 4 }, { ...options, scope: 'member:read' });
    expect(result).toMatchObject({ passed: true });
    expect(await rejection(query, options)).toContain('this query needs --scope "member:read"');
    expect(await rejection(query, { ...options, ...all }, { 'member.level': '4' })).toContain(
      'claim `member.level` must be',
    );
    expect(await rejection({ check: adult }, { ...options, ...all })).toContain('The catalogue has no claim');
  });

  it('`none` allows all claims, and has no scopes', async () => {
    const options = { catalogue: 'none' };
    expect(await evaluate({ check: member }, { 'member.level': 4 }, options)).toMatchObject({ passed: true });
    expect(await rejection({ check: member }, { ...options, ...all })).toContain(
      '--catalogue none has no scopes',
    );
  });
});

describe('the credentials', () => {
  const query = { check: adult };

  it.each([
    [{ check: adult }, '(root): This is a query. The query must be the first argument.'],
    [{ not: adult }, '(root): This is a query. The query must be the first argument.'],
    [{ id: 'c1', claims: {} }, '(root): A credential must be an element of an array'],
    [{ identity: { age: 34 } }, '/identity: A claim path must be two or more names'],
    [[{ id: 'c1' }], '/0: A credential must have the member `source`; it is missing.'],
    [7, '(root): Credentials must be an array of objects'],
  ])('%j are rejected', async (person, message) => {
    expect(await rejection(query, all, person)).toContain(`person.json is invalid:\n  ${message}`);
  });

  it('are required', async () => {
    await expect(readPerson(undefined, { now: 0, catalogue: {} as never })).rejects.toThrow(
      'credentials are required: a file after the query, or - for standard input',
    );
  });
});
