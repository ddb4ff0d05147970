/** Generates the OpenAPI 3.1 document from the routes and the request schemas. */

import type { JsonObject, JsonValue } from '../engine/index.js';
import { queryJsonSchema } from '../engine/query/json-schema.js';
import { ERRORS, type ErrorSubcode } from '../service/index.js';
import { ASSET_TYPES } from './pages/assets.js';
import type { Caller, Operation, Route } from './routes/route.js';
import { BROWSER_SCHEMAS, REQUEST_SCHEMAS } from './schemas/requests.js';
import { RESOURCE_SCHEMAS, type Schema } from './schemas/resources.js';

/** An OpenAPI 3.1 document; plain data. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const PAGE_TYPE = 'text/html';
const LINES_TYPE = 'application/x-ndjson';

const SENT_SCHEMAS: Readonly<Record<string, Schema>> = { ...REQUEST_SCHEMAS, ...BROWSER_SCHEMAS };

/** Errors of any operation. */
const ANY_ERRORS: readonly ErrorSubcode[] = [
  'malformed_body',
  'access_denied',
  'url_too_large',
  'headers_too_large',
  'rate_limited',
  'server_error',
  'temporarily_unavailable',
];
/** Statuses of requests that the server rejects before it knows their route: the body is JSON, also for pages. */
const UNROUTED_STATUSES: readonly number[] = [400, 408, 431];
const BODY_ERRORS: readonly ErrorSubcode[] = ['body_too_large', 'unsupported_media_type'];
const BEARER_ERRORS: readonly ErrorSubcode[] = ['token_missing', 'token_invalid', 'token_expired'];
const DPOP_ERRORS: readonly ErrorSubcode[] = ['token_proof_invalid', 'token_nonce_required'];
const DPOP_PROOF: Schema = {
  name: 'DPoP',
  in: 'header',
  required: false,
  description: 'A DPoP proof for the key that the access token is or will be bound to (RFC 9449 §4).',
  schema: { type: 'string' },
};
const DPOP_NONCE = {
  'DPoP-Nonce': 'The nonce for the next DPoP proof, if proofs require one (RFC 9449 §8).',
};

/**
 * Generates the document, which depends only on the version and the issuer.
 *
 * @param issuer - The base URL. The document's server is its origin, since some paths are not below the base URL.
 */
export function openApiDocument(
  routes: readonly Route[],
  issuer: string,
  version = '0.0.0',
): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Proviso',
      version,
      description:
        'An OAuth 2.0 and OpenID Connect authorization server that evaluates policies over a person’s verified credentials.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: new URL(issuer).origin }],
    paths: Object.fromEntries(routes.map((route) => [route.path, pathItem(route)])),
    components: {
      schemas: {
        ...RESOURCE_SCHEMAS,
        ...SENT_SCHEMAS,
        ...querySchemas(),
        EvaluationRequest: {
          ...REQUEST_SCHEMAS.EvaluationRequest,
          properties: {
            ...REQUEST_SCHEMAS.EvaluationRequest.properties,
            query: { $ref: '#/components/schemas/Query' },
          },
        },
        AudienceRequest: {
          ...REQUEST_SCHEMAS.AudienceRequest,
          properties: {
            ...REQUEST_SCHEMAS.AudienceRequest.properties,
            query: { $ref: '#/components/schemas/Query' },
          },
        },
        Error: errorSchema(),
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token (RFC 6750).' },
        dpop: {
          type: 'http',
          scheme: 'dpop',
          description: 'A DPoP-bound access token, with a proof in the header `DPoP` (RFC 9449).',
        },
        client: { type: 'http', scheme: 'basic', description: 'The client id and secret of an application.' },
        administrator: { type: 'http', scheme: 'bearer', description: 'The administrator’s token.' },
      },
    },
  };
}

function pathItem(route: Route): Schema {
  return Object.fromEntries(
    Object.entries(route.operations).map(([method, operation]) => [
      method.toLowerCase(),
      describeOperation(operation, route),
    ]),
  );
}

function describeOperation(operation: Operation, route: Route): Schema {
  const { id, summary, caller, parameters, pathParameter: description, body } = operation;
  const pathParameter = /\{([a-z_]+)\}$/.exec(route.path)?.[1];
  const described = [
    ...(pathParameter === undefined
      ? []
      : [{ name: pathParameter, in: 'path', required: true, description, schema: { type: 'string' } }]),
    ...(parameters === undefined ? [] : queryParameters(SENT_SCHEMAS[parameters] ?? {})),
    ...(takesProof(operation) ? [DPOP_PROOF] : []),
  ];
  return {
    operationId: id,
    summary,
    security: securityOf(caller),
    ...(described.length === 0 ? {} : { parameters: described }),
    ...(body === undefined ? {} : { requestBody: describeBody(body) }),
    responses: responsesOf(operation, route.page === true),
  };
}

/** Whether an operation accepts a DPoP proof. */
function takesProof({ caller, dpop }: Operation): boolean {
  return dpop === true || caller === 'bearer' || caller === 'bearer_or_client';
}

function queryParameters(schema: Schema): readonly Schema[] {
  const { properties, required = [] } = schema as {
    readonly properties: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: property['description'],
    schema: property,
  }));
}

function describeBody({ schema, form, optional = false }: NonNullable<Operation['body']>): Schema {
  const content = { schema: { $ref: `#/components/schemas/${schema}` } };
  const types = schema in BROWSER_SCHEMAS ? [FORM_TYPE] : form ? [JSON_TYPE, FORM_TYPE] : [JSON_TYPE];
  return { required: !optional, content: Object.fromEntries(types.map((type) => [type, content])) };
}

function securityOf(caller: Caller): readonly Schema[] {
  switch (caller) {
    case 'anyone':
    // A person's browser sends a cookie.
    case 'person':
      return [];
    case 'client':
    case 'confidential_client':
      // The empty requirement is for public clients, and for a secret or a signed assertion in the body.
      return [{ client: [] }, {}];
    case 'bearer':
      return [{ bearer: [] }, { dpop: [] }];
    case 'bearer_or_client':
      return [{ bearer: [] }, { dpop: [] }, { client: [] }];
    case 'administrator':
      return [{ administrator: [] }];
    case 'decider':
      // The sandbox requires no authentication, and a person's browser sends a cookie.
      return [{ administrator: [] }, {}];
  }
}

function callerErrors(caller: Caller): readonly ErrorSubcode[] {
  switch (caller) {
    case 'anyone':
    case 'person':
      return [];
    case 'client':
    case 'confidential_client':
      return ['invalid_client'];
    case 'bearer':
      return [...BEARER_ERRORS, ...DPOP_ERRORS];
    case 'administrator':
    case 'decider':
      return BEARER_ERRORS;
    case 'bearer_or_client':
      return [...BEARER_ERRORS, ...DPOP_ERRORS, 'invalid_client'];
  }
}

function bodyErrors({ body }: Operation): readonly ErrorSubcode[] {
  return body === undefined ? [] : BODY_ERRORS;
}

function responsesOf(operation: Operation, page: boolean): Schema {
  const subcodes = [
    ...ANY_ERRORS,
    ...callerErrors(operation.caller),
    ...bodyErrors(operation),
    ...(operation.errors ?? []),
  ];
  const byStatus = new Map<number, ErrorSubcode[]>();
  for (const subcode of subcodes) {
    const { status } = ERRORS[subcode];
    // A browser cannot respond to the challenge of a 401.
    const pageStatus = page && status === 401 ? 400 : status;
    byStatus.set(pageStatus, [...(byStatus.get(pageStatus) ?? []), subcode]);
  }
  const errorResponses = [...byStatus].map(([status, reasons]): [string, Schema] => [
    String(status),
    errorResponse(reasons, page, status),
  ]);
  // Sent by the server itself if a request takes too long.
  const timeout: [string, Schema] = ['408', errorResponse(['malformed_body'], page, 408)];
  const successResponses = operation.responses.map((kind) => successResponse(kind, operation));
  const unready: [string, Schema][] = operation.id.startsWith('readReadiness')
    ? [['503', { description: 'Not ready.', content: contentOf('Readiness') }]]
    : [];
  return Object.fromEntries([...successResponses, ...errorResponses, timeout, ...unready]);
}

function successResponse(kind: Operation['responses'][number], operation: Operation): [string, Schema] {
  switch (kind) {
    case 'redirect':
      return [
        '303',
        {
          description: 'Redirects the browser.',
          headers: { Location: { required: true, schema: { type: 'string', format: 'uri-reference' } } },
        },
      ];
    case 'metrics':
      return [
        '200',
        {
          description: 'Metrics in the Prometheus format.',
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
      ];
    case 'page':
      return [
        '200',
        { description: 'An HTML page.', content: { [PAGE_TYPE]: { schema: { type: 'string' } } } },
      ];
    case 'asset': {
      const content = ASSET_TYPES.map((type) => [type, { schema: { type: 'string' } }] as const);
      return ['200', { description: 'The file.', content: Object.fromEntries(content) }];
    }
    default:
      return [
        String(operation.responseStatus ?? 200),
        {
          description: 'Success.',
          ...headersOf(operation),
          content: contentOf(kind, operation.lines === true ? LINES_TYPE : JSON_TYPE),
        },
      ];
  }
}

function headersOf(operation: Operation): Schema {
  const headers = { ...operation.responseHeaders, ...(takesProof(operation) ? DPOP_NONCE : {}) };
  if (Object.keys(headers).length === 0) return {};
  const described = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return { headers: Object.fromEntries(described) };
}

function contentOf(name: string, type = JSON_TYPE): Schema {
  return { [type]: { schema: { $ref: `#/components/schemas/${name}` } } };
}

function errorResponse(reasons: readonly ErrorSubcode[], page: boolean, status: number): Schema {
  const description = reasons.map((reason) => `\`${reason}\`: ${ERRORS[reason].description}`).join(' ');
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { error_subcode: { enum: reasons } } },
    ],
  };
  const html = page ? { [PAGE_TYPE]: { schema: { type: 'string' } } } : {};
  const json = !page || UNROUTED_STATUSES.includes(status) ? { [JSON_TYPE]: { schema } } : {};
  return { description, content: { ...html, ...json } };
}

function errorSchema(): Schema {
  const rows = Object.values(ERRORS);
  const distinct = (values: readonly string[]) => [...new Set(values)].sort();
  return {
    type: 'object',
    required: ['error', 'error_code', 'error_description', 'error_subcode', 'context'],
    properties: {
      error: { enum: distinct(rows.map(({ error }) => error)) },
      error_code: { enum: distinct(rows.map(({ errorCode }) => errorCode)) },
      error_description: { type: 'string' },
      error_subcode: { enum: Object.keys(ERRORS) },
      context: { type: 'object', description: 'Details for programs: problems, limits, missing scopes.' },
    },
    additionalProperties: false,
  };
}

/** Returns the JSON Schema of queries, with its definitions as components of the document. */
function querySchemas(): Readonly<Record<string, JsonValue>> {
  const { $schema: _schema, $id: _id, $defs, ...query } = queryJsonSchema();
  const parts = Object.entries($defs as JsonObject).map(([name, part]) => [
    componentOf(name),
    rewriteReferences(part),
  ]);
  return { Query: rewriteReferences(query), ...Object.fromEntries(parts) };
}

function componentOf(part: string): string {
  return `Query${part.charAt(0).toUpperCase()}${part.slice(1)}`;
}

function rewriteReferences(node: JsonValue): JsonValue {
  if (Array.isArray(node)) return node.map(rewriteReferences);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => {
      const part = name === '$ref' && typeof value === 'string' ? /^#\/\$defs\/(.+)$/.exec(value) : null;
      return [
        name,
        part?.[1] === undefined ? rewriteReferences(value) : `#/components/schemas/${componentOf(part[1])}`,
      ];
    }),
  );
}
