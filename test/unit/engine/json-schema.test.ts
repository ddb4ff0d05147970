/** Checks that the published schema and `parse` agree on valid queries, except for rules that a schema cannot express (L1–L9). */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { queryFileJsonSchema, queryJsonSchema } from '../../../src/engine/query/json-schema.js';
import { DEFAULT_QUERY_LIMITS, QueryError } from '../../../src/index.js';
import { withoutSchema } from '../../../src/util/without-schema.js';
import { parse } from '../../support/with-re2js.js';

/** Codes of problems that the schema cannot detect, or not in every case, with the reason for each. */
const NOT_EXPRESSIBLE = new Set([
  'limit_depth', // a schema cannot count nesting
  'limit_checks', // a schema cannot count occurrences
  'limit_list_entries', // total over nested lists
  'limit_operand_depth', // an operand may be any JSON
  'limit_string', // strings within operands; a schema counts characters, not code units
  'limit_pattern', // a schema counts characters, not code units
  'limit_pattern_program', // size of the parsed pattern
  'limit_pattern_work', // work of compiling all patterns
  'pattern_invalid', // RE2's grammar
  'operand_type', // nonexistent days
  'projection_repeated', // uniqueness of one member across elements
  'lens_parameter', // length of fields in code units; `FORMS` covers the faults that the schema detects
]);

const OPTIONS = { strict: true, strictTypes: false, strictRequired: false };
const validate = new Ajv2020(OPTIONS).compile(queryJsonSchema());
const validateFile = new Ajv2020(OPTIONS).compile(queryFileJsonSchema());

function problemCodes(query: unknown): readonly string[] {
  try {
    parse(query);
    return [];
  } catch (error) {
    if (error instanceof QueryError) return error.problems.map(({ code }) => code);
    throw error;
  }
}

/** Every query of the vectors. */
function vectorQueries(): readonly { readonly name: string; readonly query: unknown }[] {
  const root = fileURLToPath(new URL('../../vectors/v1', import.meta.url));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json') && name !== 'schema.json')
    .flatMap((name) => {
      const { cases } = JSON.parse(readFileSync(join(root, name), 'utf8')) as {
        cases: { description: string; query: unknown }[];
      };
      return cases.map(({ description, query }) => ({ name: `${name}: ${description}`, query }));
    });
}

const FORMS: readonly [query: unknown, valid: boolean][] = [
  [{ check: { claim: 'a.b', operator: 'isDefined' } }, true],
  [{ check: { claim: 'a.b', operator: 'isDefined', value: null } }, false],
  [{ check: { claim: 'a.b', operator: '==' } }, false],
  [{ check: { claim: 'a.b', operator: '==', value: null } }, true],
  [{ check: { claim: 'a', operator: '==', value: 1 } }, false],
  [{ check: { claim: 'a.__proto__', operator: '==', value: 1 } }, false],
  [{ check: { claim: 'a.b.c.d.e.f.g.h', operator: '==', value: 1 } }, true],
  [{ check: { claim: 'a.b.c.d.e.f.g.h.i', operator: '==', value: 1 } }, false],
  [{ check: { claim: 'a.b', operator: '>', value: '2026-01-01' } }, true],
  [{ check: { claim: 'a.b', operator: '>', value: 'soon' } }, false],
  [{ check: { claim: 'a.b', operator: 'in', value: 'PT' } }, false],
  [{ check: { claim: 'a.b', operator: 'equals', value: 1 } }, false],
  [{ check: { claim: 'a.b', operator: '==', value: 1 }, policy: {} }, false],
  [{}, false],
  [[], false],
  [{ policy: { allOf: [] } }, false],
  [{ policy: { allOf: [{ claim: 'a.b', operator: 'isDefined' }], note: 1 } }, false],
  [{ policy: { not: [{ claim: 'a.b', operator: 'isDefined' }] } }, true],
  [{ policy: { not: [] } }, false],
  [
    {
      policy: {
        anyOf: [{ not: { policy: { allOf: [{ check: { claim: 'a.b', operator: 'isDefined' } }] } } }],
      },
    },
    true,
  ],
  [{ projections: [] }, false],
  [{ projections: [{ claim: 'a.b', lens: 'at' }] }, true],
  [{ projections: [{ claim: 'a.b', lens: 'at', index: 0.5 }] }, false],
  [{ projections: [{ claim: 'a.b', lens: 'pluck', index: 1 }] }, false],
  [{ projections: [{ claim: 'a.b', lens: 'pick', fields: [] }] }, false],
  [{ projections: [{ claim: 'a.b', lens: 'pick', fields: ['x', 'x'] }] }, false],
];

describe('the schema of a query file', () => {
  it.each(FORMS)(
    'validates %j as that of a query does, also with `$schema` at the top: %j',
    (query, valid) => {
      expect(validateFile(query)).toBe(valid);
      if (Array.isArray(query)) return;
      const file = { $schema: 'node_modules/proviso/dist/schema.json', ...(query as object) };
      expect([validateFile(file), validate(file)]).toEqual([valid, false]);
      expect(withoutSchema(file)).toEqual(query);
    },
  );

  it('rejects a `$schema` that is not a string, and one below the top', () => {
    const check = { claim: 'a.b', operator: 'isDefined' };
    expect(validateFile({ $schema: 1, check })).toBe(false);
    expect(validateFile({ check: { ...check, $schema: 'x' } })).toBe(false);
  });
});

describe('the schema of a query', () => {
  it.each(FORMS)('validates %j as `parse` does: %j', (query, valid) => {
    expect([validate(query), problemCodes(query).length === 0]).toEqual([valid, valid]);
  });

  it.each(vectorQueries())('agrees with parse on $name', ({ query }) => {
    const codes = problemCodes(query);
    const notExpressible = codes.length > 0 && codes.every((code) => NOT_EXPRESSIBLE.has(code));
    if (validate(query)) expect(codes.length === 0 || notExpressible).toBe(true);
    else expect(codes).not.toEqual([]);
  });

  it('equals the recorded schema, and contains the limits that it is created with', () => {
    const recorded = readFileSync(new URL('./query-schema.json', import.meta.url), 'utf8');
    expect(queryJsonSchema()).toStrictEqual(JSON.parse(recorded));
    expect(queryJsonSchema({ ...DEFAULT_QUERY_LIMITS, projections: 3, pathSegments: 4 })).toMatchObject({
      properties: { projections: { maxItems: 3 } },
      $defs: { claim: { pattern: expect.stringMatching(/\{1,3\}\$$/) } },
    });
  });

  it('has a title and a description in every definition', () => {
    const { $defs } = queryJsonSchema() as {
      $defs: Record<string, { title?: string; description?: string }>;
    };
    for (const definition of Object.values($defs))
      expect(definition).toMatchObject({ title: expect.any(String), description: expect.any(String) });
  });
});
