/** Compiles the request schemas into plain code, so that the service needs neither Ajv nor `eval`: `npm run generate`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { buildSync } from 'esbuild';
import { REQUEST_SCHEMAS } from '../src/http/schemas/requests.js';

export const VALIDATORS_FILE = fileURLToPath(
  new URL('../src/http/schemas/generated/request-validators.ts', import.meta.url),
);

const HEADER = `/** The request schemas as plain code, generated from ../requests.ts by \`npm run generate\`; not to be edited. */
// @ts-nocheck: Ajv's code, as Ajv writes it.
`;

/** Returns the source of the validators: `VALIDATORS` has a function for each schema, by the schema's name. */
export function compileRequestSchemas(): string {
  const ajv = new Ajv({
    schemas: Object.entries(REQUEST_SCHEMAS).map(([name, schema]) => ({ $id: name, ...schema })),
    code: { source: true, esm: true, lines: true },
    allErrors: true,
    // The service writes its own messages.
    messages: false,
    strictRequired: false,
    allowUnionTypes: true,
    validateFormats: false,
  });
  const names = Object.fromEntries(Object.keys(REQUEST_SCHEMAS).map((name) => [name, name]));
  const validators = standaloneCode.default(ajv, names).replaceAll('export const', 'const');
  const { outputFiles } = buildSync({
    // Bundled, since the generated code imports parts of Ajv.
    stdin: {
      contents: `${validators}\nexport const VALIDATORS = { ${Object.keys(names)} };`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'es2022',
    write: false,
  });
  return HEADER + (outputFiles[0]?.text ?? '');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(VALIDATORS_FILE, compileRequestSchemas());
