/** Reads an OpenAPI 3.1 document: operations, parameters, bodies, and responses. */

/** A JSON Schema (2020-12). */
export type Schema = Readonly<Record<string, unknown>>;

export interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  /** By media type. */
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface DocumentedOperation {
  readonly operationId: string;
  /** Alternative ways to authenticate; an empty entry means no authentication. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    /** By media type. */
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  /** By status. */
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export interface InterfaceDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation with its path and its method in upper case. */
export interface OperationAt {
  readonly path: string;
  readonly method: string;
  readonly operation: DocumentedOperation;
}

/** The members of a path item that are operations (OpenAPI 3.1.0 §4.8.9). */
const METHODS: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
]);
const TEMPLATE = /\{[^{}/]+\}$/;

/**
 * Returns the typed document.
 *
 * @throws {Error} The document has no paths or no schemas.
 */
export function readDocument(document: Readonly<Record<string, unknown>>): InterfaceDocument {
  const { paths, components } = document as Partial<InterfaceDocument>;
  if (paths === undefined || components?.schemas === undefined)
    throw new Error('the OpenAPI document must have `paths` and `components.schemas`');
  return { paths, components };
}

/** Lists every operation of a document. */
export function documentedOperations({ paths }: InterfaceDocument): readonly OperationAt[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      METHODS.has(method)
        ? // Members named like methods are operations.
          [{ path, method: method.toUpperCase(), operation: operation as DocumentedOperation }]
        : [],
    ),
  );
}

/**
 * Finds the path of the document that a request's path matches. A path without a template takes precedence (OpenAPI 3.1.0 §4.8.8.2). Supports a
 * template only as the last segment.
 */
export function findPath({ paths }: InterfaceDocument, path: string): string | undefined {
  if (Object.hasOwn(paths, path)) return path;
  return Object.keys(paths).find((one) => {
    const start = one.replace(TEMPLATE, '');
    if (start === one || !path.startsWith(start)) return false;
    const segment = path.slice(start.length);
    return segment !== '' && !segment.includes('/');
  });
}
