/** Writes the pages of the reference from the tables in the code: `npm run generate`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { settingEntries, variableOf } from '../src/cli/configuration/settings.js';
import { SCOPE_FIELD_PREFIX } from '../src/http/pages/scope-lines.js';
import { ROUTES } from '../src/http/routes/catalogue.js';
import type { Caller, Operation } from '../src/http/routes/route.js';
import { BROWSER_SCHEMAS, REQUEST_SCHEMAS } from '../src/http/schemas/requests.js';
import { RESOURCE_SCHEMAS } from '../src/http/schemas/resources.js';
import { createServiceCatalogue, ERRORS } from '../src/service/index.js';
import { METRICS } from '../src/telemetry/metrics.js';

const NOTE = '<!-- Written by `npm run generate` from the tables in the code; not to be edited. -->';

const GENERATED_BEGIN =
  '<!-- generated: written by `npm run generate` from the tables in the code; not to be edited. -->';
const GENERATED_END = '<!-- end of the generated part -->';

const CALLERS: Readonly<Record<Caller, string>> = {
  anyone: 'none',
  person: 'the session of the signed-in person; without it, the response redirects or links to `/sign-in`',
  client:
    'the application, with its registered method: HTTP Basic, `client_secret` in the body, a signed assertion, or `client_id` alone (public applications)',
  confidential_client:
    'the application, with its secret (HTTP Basic, or `client_secret` in the body) or a signed assertion',
  bearer: 'an access token, as `Bearer`, or as `DPoP` with a proof if it is bound to a key',
  bearer_or_client:
    'either an access token (as `Bearer`, or as `DPoP` with a proof if it is bound to a key) or the application (with HTTP Basic)',
  administrator: 'the administrator’s token, as `Bearer`',
  decider:
    'in the sandbox, none; in production, the administrator’s token, as `Bearer`, or the session of the signed-in person',
};

/** Rules of the parameters that their schemas do not express, by the name of the schema. */
const NOTES: Readonly<Record<string, string>> = {
  AuthorizationParameters:
    '`client_id` is required unless there is an `authorization_id`. `response_type`, `redirect_uri`, `code_challenge` and `code_challenge_method` are required unless there is a `request_uri` or an `authorization_id`. A page shows the errors `invalid_client`, `redirect_uri_mismatch` and `invalid_request_uri`, and a missing `redirect_uri`, to the person. Other errors are returned to the application by redirect: `malformed_body`, `invalid_scope`, `invalid_authorization_details`, `unsupported_response_type`, `login_required`, `request_not_supported` and `request_uri_not_supported`.',
  PushedAuthorizationParameters:
    '`client_id`, `response_type`, `redirect_uri`, `code_challenge` and `code_challenge_method` are required.',
  TokenRequest:
    'With the grant type `authorization_code`, `code`, `redirect_uri` and `code_verifier` are required. With the grant type `refresh_token`, the parameter `refresh_token` is required. `scope` has an effect with this grant type only.',
  RevocationRequest:
    'At least one of `token`, `tokens` and `authorization_id` is required. With the hint `authorization`, `token` is the id of an authorization, unless it has the form of a token. A refresh token is revoked with its family: all access and refresh tokens that come from the same code, by its redemption or by rotation.',
  UserTokenRequest: 'At least one of `identifier`, `user_id`, `email` and `evm_address` is required.',
  ConsentForm: `With \`approve\`, the form also has a field for each ticked scope (\`${SCOPE_FIELD_PREFIX}\` and its name) and for each ticked condition.`,
};

/** Operations that also accept unauthenticated requests. */
const OPTIONALLY_AUTHENTICATED: readonly string[] = ['revoke'];
const NO_SESSION_IN_SANDBOX: readonly string[] = ['showConsent', 'decideConsent'];

/** Returns the text of each page, by its path under `docs`. */
export function referencePages(): ReadonlyMap<string, string> {
  return new Map([
    ['reference/http-api.md', httpApi()],
    ['reference/errors.md', errors()],
    ['reference/catalogue.md', catalogue()],
    ['reference/configuration.md', configuration()],
    ['reference/metrics.md', metrics()],
    ['reference/person-export.schema.json', personExportSchema()],
  ]);
}

/** Returns the JSON Schema of an export of personal data, with the schemas that it refers to. */
function personExportSchema(): string {
  const { PersonExport, Person, Credential, AuthorizationDetail } = RESOURCE_SCHEMAS;
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Everything that Proviso holds about a person: `proviso person export`',
    ...PersonExport,
    $defs: { Person, Credential, AuthorizationDetail },
  };
  const text = JSON.stringify(schema, null, 2).replaceAll('#/components/schemas/', '#/$defs/');
  return `${text}\n`;
}

/** Returns the path of a page's file. */
export function pagePath(name: string): string {
  return fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
}

function httpApi(): string {
  const sections = ROUTES.flatMap(({ path, operations }) =>
    Object.entries(operations).map(([method, operation]) => section(method, path, operation)),
  );
  return page(
    'HTTP API',
    `Every endpoint with its authentication, its parameters and its errors. A question mark after a name marks an optional parameter. \`GET /v2/openapi.json\`
returns the same as an OpenAPI 3.1 document, with every member of every response.

Bodies are JSON in UTF-8. Timestamps are RFC 3339 in UTC with milliseconds, except \`iat\` and \`exp\`, which are seconds since 1970. Durations are in seconds.

The errors of an endpoint list only what is specific to it. In addition, each request may be rejected for one of these reasons (see [Errors](errors.md)):`,
    table(
      ['status', 'reason'],
      [
        ['400', 'it is malformed'],
        ['401', 'the endpoint requires authentication, and the request has none that is valid'],
        ['403', 'it is forbidden, for example because of a foreign host or origin'],
        ['405, 415', 'its method or media type is not supported'],
        ['408', 'it arrives too slowly'],
        ['413, 414, 431', 'its body, its URL or its headers are too large'],
        ['429', 'it exceeds a rate limit'],
        ['500, 503', 'the service fails'],
      ],
    ),
    ...sections,
  );
}

function section(method: string, path: string, operation: Operation): string {
  const {
    id,
    summary,
    caller,
    parameters,
    pathParameter,
    body,
    errors: reasons = [],
    responseHeaders = {},
  } = operation;
  const schema = parameters ?? body?.schema;
  const rejected = reasons.map((reason) => `\`${reason}\``).join(', ');
  return [
    `## ${method} ${path}`,
    summary,
    `**Authentication**: ${OPTIONALLY_AUTHENTICATED.includes(id) ? 'optional: ' : ''}${CALLERS[caller]}.${NO_SESSION_IN_SANDBOX.includes(id) ? ' In the sandbox, no session is required.' : ''}${rejected === '' ? '' : ` **Errors**: ${rejected}.`}`,
    ...Object.entries(responseHeaders).map(
      ([name, description]) => `**Response header** \`${name}\`: ${lowerFirst(description)}`,
    ),
    ...(pathParameter === undefined ? [] : [`**Path parameter**: ${lowerFirst(pathParameter)}`]),
    ...(schema === undefined ? [] : [members(schema, parameters === undefined, body?.form === true)]),
    ...(schema === undefined || NOTES[schema] === undefined ? [] : [NOTES[schema]]),
  ].join('\n\n');
}

function members(name: string, isBody: boolean, form: boolean): string {
  const schemas: Readonly<Record<string, unknown>> = { ...REQUEST_SCHEMAS, ...BROWSER_SCHEMAS };
  const { properties, required = [] } = schemas[name] as {
    readonly properties: Readonly<
      Record<string, { readonly description?: string; readonly enum?: readonly unknown[] }>
    >;
    readonly required?: readonly string[];
  };
  const where = !isBody ? 'query' : name in BROWSER_SCHEMAS ? 'form' : form ? 'body, JSON or form' : 'body';
  return table(
    [where, 'description'],
    Object.entries(properties).map(([member, { description = '', enum: values = [] }]) => {
      const isComplete = values.every((value) => description.includes(`\`${value}\``));
      const listed = isComplete ? '' : ` One of ${values.map((value) => `\`${value}\``).join(', ')}.`;
      return [`\`${member}\`${required.includes(member) ? '' : '?'}`, `${description}${listed}`];
    }),
  );
}

function errors(): string {
  const rows = Object.entries(ERRORS).map(([subcode, { errorCode, status, error, description }]) => [
    errorCode,
    String(status),
    `\`${error}\``,
    `\`${subcode}\``,
    description,
  ]);
  return page(
    'Errors',
    `Every error response in JSON has the same body: \`error\` (the code of RFC 6749 where one applies), \`error_code\`, \`error_subcode\` (a stable reason),
\`error_description\` (a sentence) and \`context\` (details for programs: \`problems\` with JSON Pointers, limits, missing scopes). The entries of \`errors\` in a
preset batch have \`preset\` and, as the object \`error\`, the same body. Pages, such as \`/consent\`, show errors as HTML, with the status 400 instead of 401.

A request that does not arrive within \`headTimeoutSeconds\` or \`requestTimeoutSeconds\` ([Configuration](configuration.md#limits)) gets \`malformed_body\` with the
status 408, and the connection is closed.`,
    table(
      ['code', 'status', '`error`', '`error_subcode`', 'description'],
      rows.sort(([one = ''], [other = '']) => one.localeCompare(other)),
    ),
  );
}

function configuration(): string {
  const subjects = [...new Set(settingEntries().map(([, { subject }]) => subject))];
  const sections = subjects.flatMap((subject) => {
    const settings = settingEntries().filter(([, setting]) => setting.subject === subject);
    const limited = settings.some(([, { exceeded }]) => exceeded !== undefined);
    const rows = settings.map(([name, { description, type, exceeded = '', ...setting }]) => [
      `\`${name}\``,
      `\`${variableOf(name)}\``,
      `${description}${setting.requiredInProduction ? ' **Production does not start without it.**' : ''}`,
      type.requirement,
      fallbackOf(setting.defaults),
      ...(limited ? [exceeded] : []),
    ]);
    const head = ['in the file', 'in the environment', 'description', 'values', 'default'];
    return [
      `## ${subject.charAt(0).toUpperCase()}${subject.slice(1)}`,
      table([...head, ...(limited ? ['above the limit'] : [])], rows),
    ];
  });
  const secrets = settingEntries()
    .filter(([, { secret }]) => secret)
    .map(([name]) => `\`${variableOf(name)}\``);
  return page(
    'Configuration',
    `Settings come from the environment and from a JSON file (\`--config FILE\`, or \`PROVISO_CONFIG\`); the environment takes precedence. \`proviso serve\` validates
all of them before it starts, and lists every problem at once. \`proviso config --check\` only validates. \`proviso config\` prints the effective values and their
origin, with secrets masked. Unknown names are errors.`,
    `Keep secrets (${secrets.join(', ')}) in files: a variable with
the suffix \`_FILE\` names a file that contains the value. Such a file must be accessible to its owner only (\`chmod 600\`); otherwise the service does not start.
On Windows, this is not checked. A file that root owns may also be readable by its group: Kubernetes and systemd provide such files to a service that does not
run as root. The same applies to a settings file with a secret, to an applications file with \`secret_sha256\`, and to the file
named by \`sslkey\` in a PostgreSQL URL. A PostgreSQL URL without password and parameters is not a secret.`,
    'The members of a settings file have the names in the first column of the tables below:',
    '```json\n{ "port": 8081, "logLevel": "info", "trustedProxies": ["10.0.0.0/8"] }\n```',
    ...sections,
  );
}

function metrics(): string {
  const rows = Object.entries(METRICS).map(([name, { type, help, labels }]) => [
    `\`${name}\``,
    type,
    help,
    Object.entries(labels)
      .map(([label, meaning]) => `\`${label}\`: ${meaning}`)
      .join('; '),
  ]);
  return page(
    'Metrics',
    `The service exports these metrics in the Prometheus format, on \`PROVISO_METRICS_PORT\` and at \`GET /v2/metrics\`. Counters start at 0 with each process. No metric
contains caller input, claims, or ids of people, applications, grants or tokens. With several processes, each metric of a process has the label \`process\` as well.

In addition, [prom-client](https://github.com/siimon/prom-client) collects metrics of Node and of the process, with the prefix \`proviso_\`, such as
\`proviso_process_cpu_seconds_total\` and \`proviso_nodejs_eventloop_lag_p99_seconds\`.

[Deployment](../guides/deployment.md#dashboard-and-alerts) describes the dashboard and the alert rules that use these metrics.`,
    table(['metric', 'type', 'description', 'labels'], rows),
  );
}

function fallbackOf(fallback?: Readonly<Record<'sandbox' | 'production', string>>): string {
  if (fallback === undefined) return '';
  const { sandbox, production } = fallback;
  return sandbox === production
    ? `\`${sandbox}\``
    : `\`${sandbox}\` in the sandbox, \`${production}\` in production`;
}

function catalogue(): string {
  const { definition, presets } = createServiceCatalogue();
  const scopes = definition.scopes.map(
    ({ name, category, sensitivity, displayName, description, implies = [], alsoCovers = [] }) => [
      `\`${name}\``,
      category,
      sensitivity,
      `**${displayName}**: ${description}`,
      [...implies, ...alsoCovers].map((included) => `\`${included}\``).join(' '),
    ],
  );
  const claims = definition.claims.map(({ path, type, scope, sensitivity, description, values, derived }) => [
    `\`${path}\``,
    values === undefined ? type : `${type}: ${values.join(', ')}`,
    `\`${scope}\``,
    sensitivity,
    `${description}${derived === undefined ? '' : ` Derived from \`${derived.parent}\`.`}`,
  ]);
  const presetRows = presets.map(({ name, claim, consentText, parentField }) => [
    `\`${name}\``,
    `\`${claim}\``,
    consentText,
    parentField === undefined ? '' : `\`${parentField}\``,
  ]);
  return withGeneratedPart(
    'reference/catalogue.md',
    '## Scopes',
    table(['scope', 'category', 'sensitivity', 'shown to the person', 'includes'], scopes),
    '## Claims',
    table(['claim', 'type', 'scope', 'sensitivity', 'description'], claims),
    '## Presets',
    table(['preset', 'claim', 'shown to the person', 'derived from'], presetRows),
  );
}

/** Returns a page with everything between its marks replaced by `parts`. */
function withGeneratedPart(name: string, ...parts: readonly string[]): string {
  const text = readFileSync(pagePath(name), 'utf8');
  const begin = text.indexOf(GENERATED_BEGIN);
  const end = text.indexOf(GENERATED_END);
  if (begin < 0 || end < begin) throw new Error(`docs/${name} must have the marks of a generated part`);
  return `${text.slice(0, begin)}${[GENERATED_BEGIN, ...parts].join('\n\n')}\n\n${text.slice(end)}`;
}

function page(title: string, ...parts: readonly string[]): string {
  return `${[`# ${title}`, NOTE, ...parts].join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of referencePages()) writeFileSync(pagePath(name), text);
}
