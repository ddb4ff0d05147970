/** Parses the responses of an implementation, which are untrusted. */
import { ImplementationError, type Outcome } from './kit.js';
import { PROTOCOL } from './language.js';

/** The name and version of an implementation, from its response to `hello`. */
export interface ImplementationName {
  readonly name: string;
  readonly version?: string;
}

/** A response: an outcome, or the reason why the implementation gives none. */
export type Response = Outcome | { readonly unsupported: string };

type Members = Readonly<Record<string, unknown>>;

const MAX_SHOWN = 200;

/**
 * Parses a line of the output of an implementation.
 *
 * @param id - The `id` of the request.
 * @throws {ImplementationError} If the line is not a valid response. The error ends the run if the line is not a response to this request.
 */
export function parseResponse(line: string, id: number): Response {
  const response = parseObject(line);
  if (response === undefined || response['id'] !== id) {
    throw new ImplementationError(describeUnexpected(line, `; the next one must have the \`id\` ${id}`), {
      endsRun: true,
    });
  }
  const kinds = ['result', 'error', 'unsupported'].filter((name) => Object.hasOwn(response, name));
  if (kinds.length !== 1)
    throw new ImplementationError(
      `a response must have exactly one of \`result\`, \`error\` and \`unsupported\`; got ${kinds.join(' and ') || 'none'}`,
    );
  if ('result' in response) return { result: response['result'] };
  if ('unsupported' in response) return { unsupported: String(response['unsupported']) };
  return { error: readError(response['error']) };
}

/** Parses the response to `hello`. @throws {ImplementationError} If the implementation does not know the protocol, or gives no name. */
export function parseHello(response: Response): ImplementationName {
  if ('unsupported' in response) throw new ImplementationError(`not supported: ${response.unsupported}`);
  const result = 'result' in response ? asObject(response.result) : undefined;
  const { protocol, name, version } = result ?? {};
  if (protocol !== PROTOCOL)
    throw new ImplementationError(
      `\`result.protocol\` must be ${PROTOCOL}; got ${JSON.stringify(protocol) ?? 'none'}`,
    );
  if (typeof name !== 'string' || name === '')
    throw new ImplementationError('`result.name` must be the name of the implementation');
  return typeof version === 'string' ? { name, version } : { name };
}

/** Describes a line that is not the expected response. @param required - What the response must have. */
export function describeUnexpected(line: string, required = ''): string {
  const shown = line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
  return `standard output must contain only responses${required}; got the line \`${shown}\``;
}

function readError(value: unknown): Extract<Outcome, { error: unknown }>['error'] {
  const { code, problems, missing } = asObject(value) ?? {};
  if (typeof code !== 'string') throw new ImplementationError('`error.code` must be a string');
  return {
    code,
    ...(problems === undefined
      ? {}
      : { problems: readList(problems, 'error.problems', 'code and pointer', readProblem) }),
    ...(missing === undefined
      ? {}
      : { missing: readList(missing, 'error.missing', 'claim and scopes', readMissing) }),
  };
}

function readList<Entry>(
  value: unknown,
  name: string,
  members: string,
  read: (entry: Members) => Entry | undefined,
): readonly Entry[] {
  const entries = Array.isArray(value) ? value.map((entry) => read(asObject(entry) ?? {})) : [undefined];
  const valid = entries.filter((entry) => entry !== undefined);
  if (valid.length === entries.length) return valid;
  throw new ImplementationError(`\`${name}\` must be an array of objects with ${members}`);
}

function readProblem({ code, pointer }: Members): { code: string; pointer: string } | undefined {
  return typeof code === 'string' && typeof pointer === 'string' ? { code, pointer } : undefined;
}

function readMissing({ claim, scopes }: Members): { claim: string; scopes: readonly string[] } | undefined {
  const areStrings = Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string');
  return typeof claim === 'string' && areStrings ? { claim, scopes } : undefined;
}

function parseObject(line: string): Members | undefined {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}
