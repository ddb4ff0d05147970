/** The client's response types match the OpenAPI document, member by member. */
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, it } from 'vitest';
import { openApiDocument } from '../../src/http/openapi.js';
import { ROUTES } from '../../src/http/routes/catalogue.js';
import { typeErrors } from '../support/type-errors.js';

/** Types of the client and their schemas in the OpenAPI document. */
const PAIRS: readonly (readonly [type: string, schema: string])[] = [
  ['UserInfo', 'UserInfo'],
  ['PresetDescriptor', 'PresetDescriptor'],
  ['PresetResult', 'PresetResult'],
  ['PresetBatchResult', 'PresetBatchResult'],
  ['Page<Credential>', 'CredentialPage'],
  ['Credential', 'Credential'],
  ['Page<Grant>', 'GrantPage'],
  ['Grant', 'Grant'],
  ['RevocationResult', 'RevocationResult'],
];

const COMPARISON = `
import type { Credential, Grant, Page, PresetBatchResult, PresetDescriptor, PresetResult, RevocationResult, UserInfo } from '../../src/client/index.js';
type Schemas = components['schemas'];
// A JSON value is \`unknown\` in the document and a \`JsonValue\` in the client, and evidence has the type of the engine.
type Known<T> = unknown extends T ? any : T extends readonly (infer Item)[] ? readonly Known<Item>[] : T extends object ? { readonly [Name in keyof T]: Name extends 'evidence' ? any : Known<T[Name]> } : T;
// The paths of the members at every depth, except in JSON values and evidence.
type Paths<T> = unknown extends T ? never : T extends readonly (infer Item)[] ? Paths<Item> : T extends object ? (string extends keyof T ? never : { [Name in keyof T & string]-?: Name | (Name extends 'evidence' | 'value' ? never : \`\${Name}.\${Paths<T[Name]>}\`) }[keyof T & string]) : never;
type Same<Ours, Theirs> = [Ours] extends [Theirs] ? ([Known<Theirs>] extends [Ours] ? ([Paths<Ours>] extends [Paths<Theirs>] ? ([Paths<Theirs>] extends [Paths<Ours>] ? true : 'a member is missing') : 'a member too many') : 'theirs is wider') : 'ours is wider';
`;

async function problemsOf(pairs: readonly (readonly [string, string])[]): Promise<readonly string[]> {
  const document = openApiDocument(ROUTES, 'http://127.0.0.1/v2');
  const generated = astToString(
    await openapiTS(JSON.stringify(document), {
      immutable: true,
      emptyObjectsUnknown: true,
    }),
  );
  const checks = pairs.map(([type, schema], index) => {
    return `export const check${index}: Same<${type}, Schemas['${schema}']> = true;`;
  });
  const text = [generated, COMPARISON, ...checks].join('\n');
  const compilerOptions = { target: 'ES2022', types: ['node'] };
  return (await typeErrors(text, { compilerOptions }))
    .filter(({ file }) => file === 'checked.ts')
    .map(({ message }) => message);
}

it('each response type matches the document, and a type that does not is detected', async () => {
  const wrong = [
    ['Grant', 'UserInfo'],
    ["Omit<UserInfo, 'address'>", 'UserInfo'],
    [
      "Omit<UserInfo, 'address'> & { readonly address?: Omit<NonNullable<UserInfo['address']>, 'country'> }",
      'UserInfo',
    ],
    [
      "Omit<Page<Grant>, 'items'> & { readonly items: readonly (Grant & { readonly other?: string })[] }",
      'GrantPage',
    ],
  ] as const;
  expect(await problemsOf([...PAIRS, ...wrong])).toEqual([
    expect.stringContaining('is not assignable to type \'"ours is wider"\''),
    expect.stringContaining('is not assignable to type \'"a member is missing"\''),
    expect.stringContaining('is not assignable to type \'"a member is missing"\''),
    expect.stringContaining('is not assignable to type \'"a member too many"\''),
  ]);
});
