/** Checks that the vectors cover each rule of the language, and each operator with every type of claim and operand. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { FORM_PROBLEM_CODES, LIMIT_PROBLEM_CODES, OPERATOR_NAMES } from '../../src/index.js';
import type { Vector } from '../../src/testing/vector.js';
import { readVectorFiles, VECTOR_FOLDER } from '../vectors/vector-files.js';

const files = readVectorFiles();
const vectors = files.flatMap((file) => file.vectors);
const DECISIONS = Array.from({ length: 25 }, (_, index) => `L${index + 1}`);
const JSON_TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
const CLAIM_TYPES = ['undefined', ...JSON_TYPES] as const;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * The combination of operator, claim type and operand type of a vector whose query is a single check. Empty for other vectors, and where the type of
 * the claim does not follow from the claims of one active credential.
 */
function cellsOf({ query, credentials }: Vector): readonly string[] {
  const check = (query as { check?: { claim: string; operator: string; value?: unknown } } | null)?.check;
  if (check === null || typeof check !== 'object' || credentials.length > 1) return [];
  const [{ claims = {}, expiresAt, revokedAt } = {}] = credentials;
  const hasParent = Object.keys(claims).some((path) => String(check.claim).startsWith(`${path}.`));
  if (expiresAt !== undefined || revokedAt !== undefined || hasParent) return [];
  const claim = Object.hasOwn(claims, check.claim) ? typeOf(claims[check.claim]) : 'undefined';
  return [`${check.operator} ${claim} ${typeOf(check.value)}`];
}

function countCells(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const cell of vectors.flatMap(cellsOf)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return counts;
}

describe('the vectors', () => {
  // L15
  it('cover every operator with every type of claim and operand', () => {
    const counts = countCells();
    const columns = ['operator', 'claim', ...JSON_TYPES, 'none'].map((name) => name.padEnd(11));
    const rows = OPERATOR_NAMES.flatMap((operator) =>
      CLAIM_TYPES.map((claim) => {
        const cells = [...JSON_TYPES, 'undefined'].map((operand) =>
          counts.get(`${operator} ${claim} ${operand}`),
        );
        return { operator, claim, cells };
      }),
    );
    const lines = rows.map(({ operator, claim, cells }) =>
      [operator, claim, ...cells.map((count) => String(count ?? '–'))]
        .map((cell) => cell.padEnd(11))
        .join(''),
    );
    process.stdout.write(
      `\nVectors by operator, type of claim and type of operand\n${[columns.join(''), ...lines].join('\n')}\n`,
    );
    // Checks without an operand are required of `isDefined` only: other operators reject them, so one vector of each suffices.
    const missing = rows.flatMap(({ operator, claim, cells }) =>
      cells.flatMap((count, index) => {
        const operand = [...JSON_TYPES, 'none'][index];
        const required = operand !== 'none' || operator === 'isDefined' || claim === 'undefined';
        return required && count === undefined ? [`${operator} ${claim} ${operand}`] : [];
      }),
    );
    expect(missing).toEqual([]);
  });

  it('cover every rule of the language', () => {
    const cited = new Set(vectors.flatMap(({ decisions }) => decisions));
    expect(DECISIONS.filter((decision) => !cited.has(decision))).toEqual([]);
  });

  // L8
  it('cover every problem code', () => {
    const reported = vectors.flatMap(({ expect: expected }) =>
      'error' in expected ? (expected.error.problems ?? []).map(({ code }) => code) : [],
    );
    expect(
      [...FORM_PROBLEM_CODES, ...LIMIT_PROBLEM_CODES].filter((code) => !reported.includes(code)),
    ).toEqual([]);
  });

  it('are at least 400, with distinct ids', () => {
    const ids = vectors.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(400);
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
  });

  it('have ids that begin with the name of their file', () => {
    const wrongIds = files.flatMap(({ name, vectors: fileVectors }) => {
      const prefix = name.replace(/^.*\//, '').replace('.json', '-');
      return fileVectors.filter(({ id }) => !id.startsWith(prefix)).map(({ id }) => `${name}: ${id}`);
    });
    expect(wrongIds).toEqual([]);
  });

  it('include passing and failing checks in every family of operators', () => {
    for (const { name, vectors: fileVectors } of files.filter((file) => file.name.startsWith('operators/'))) {
      const passed = fileVectors.flatMap(({ expect: expected }) =>
        'passed' in expected ? [expected.passed] : [],
      );
      expect(new Set(passed), name).toEqual(new Set([true, false]));
    }
  });
});

describe('the vector files', () => {
  const schema = JSON.parse(readFileSync(new URL('schema.json', VECTOR_FOLDER), 'utf8')) as object;

  it.each(files)('$name is valid under the schema', ({ json }) => {
    const validate = new Ajv2020({ allErrors: true }).compile(schema);
    validate(json);
    expect(validate.errors ?? []).toEqual([]);
  });

  it('have a schema that rejects unknown members of every object, except those with a comment', () => {
    const openSchemas = objectSchemas(schema).filter(
      (part) =>
        !('additionalProperties' in part && part.additionalProperties === false) && !('$comment' in part),
    );
    expect(openSchemas).toEqual([]);
  });

  it('are all listed in the README with their title and number of vectors', () => {
    const readme = readFileSync(new URL('README.md', VECTOR_FOLDER), 'utf8');
    const listed = readme.split('\n').filter((line) => line.startsWith('| [`'));
    const rows = files.map(({ name, json, vectors: fileVectors }) => {
      const { title } = json as { title: string };
      return `| [\`${name}\`](${name}) | ${title} | ${fileVectors.length} |`;
    });
    expect(listed).toEqual(rows);
    expect(readme).toContain(`${vectors.length.toLocaleString('en')} tests`);
  });
});

/** The parts of a schema that describe objects. */
function objectSchemas(part: unknown): readonly object[] {
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.values(part).flatMap(objectSchemas);
  return 'type' in part && part.type === 'object' ? [part, ...inner] : inner;
}
