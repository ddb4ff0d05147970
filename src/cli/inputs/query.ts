/** Reads queries: from a file, from standard input, or from the command line. */
import {
  type CompiledQuery,
  isClaimPath,
  type PredicateResult,
  QueryError,
  type QueryResult,
  re2js,
  safeParse,
} from '../../index.js';
import { withoutSchema } from '../../util/without-schema.js';
import { formatProblems, parseJsonText, readJsonFile, readTextInput } from '../json-file.js';
import { CommandError, EXIT } from '../output.js';
import type { CommandCatalogue } from './catalogue.js';

export const QUERY_ARGUMENT = ['[query]', 'file with a query as JSON; - reads standard input'] as const;
export const POLICY_ARGUMENT = [
  '[query]',
  'file with a check or a policy as JSON; - reads standard input',
] as const;
export const INLINE_OPTION = ['-q, --query <json>', 'the query as JSON, instead of a file'] as const;

/** A query as JSON, not yet validated. */
export interface QueryInput {
  /** Its name in messages: the file, `standard input` or `--query`. */
  readonly name: string;
  /** The text as read. */
  readonly text: string;
  /** The query; `$schema` at the top of the text is omitted. */
  readonly json: unknown;
}

/**
 * Reads a query as JSON. A repeated member name is rejected, since one of its values would be ignored.
 *
 * @param file - `-` for standard input.
 * @param inline - The value of `--query`, which is given instead of a file.
 * @throws {CommandError} If there is not exactly one query, or it cannot be read or is not valid JSON.
 */
export async function readQueryInput(
  file: string | undefined,
  inline: string | undefined,
): Promise<QueryInput> {
  if (inline !== undefined && file !== undefined)
    throw new CommandError(`the query must be a file or --query, not both (got ${file})`, EXIT.usage);
  const name = inline === undefined ? inputName(file) : '--query';
  const text = inline ?? (await readTextInput(requireFile(file)));
  return { name, text, json: withoutSchema(parseJsonText(name, text)) };
}

/** Reads a file with a query as JSON, without `$schema`. @throws {CommandError} If it cannot be read or is not valid JSON. */
export function readQueryFile(file: string): unknown {
  return withoutSchema(readJsonFile(file));
}

/** Returns the name of a file in messages. */
export function inputName(file: string | undefined): string {
  return file === undefined || file === '-' ? 'standard input' : file;
}

function requireFile(file: string | undefined): string {
  if (file !== undefined) return file;
  throw new CommandError(
    'a query is required: a file, - for standard input, or --query with the query itself',
    EXIT.usage,
  );
}

/** Compiles the query of a command, for the command's catalogue. @throws {CommandError} For an invalid query: with a hint, or with its problems. */
export type CompileInput<Result extends QueryResult> = (
  input: QueryInput,
  catalogue: CommandCatalogue,
) => CompiledQuery<Result>;

/** Compiles a query of any form. */
export const compileQueryInput: CompileInput<QueryResult> = ({ name, json }, { engine }) =>
  withQueryProblems(name, json, () => engine.compile(json));

/** Compiles a check or a policy; projections are a problem. */
export const compilePolicyInput: CompileInput<PredicateResult> = ({ name, json }, { engine }) =>
  withQueryProblems(name, json, () => engine.compilePredicate(json));

/**
 * Calls a function that compiles or evaluates a query. An evaluation is rejected if matching patterns on the claims costs too much.
 *
 * @throws {CommandError} For a `QueryError` that the function throws: with a hint, or with its problems.
 */
export function withQueryProblems<Value>(name: string, json: unknown, call: () => Value): Value {
  try {
    return call();
  } catch (error) {
    if (error instanceof QueryError) throw invalidQuery(name, json, error);
    throw error;
  }
}

/** Creates the error for an invalid query: with a hint if it resembles something else, otherwise with its problems. */
function invalidQuery(name: string, json: unknown, { problems, problemCount }: QueryError): CommandError {
  const hint = hintFor(json);
  const message =
    hint === undefined
      ? formatProblems(name, problems, problemCount)
      : formatProblems(name, [{ pointer: '', message: hint }]);
  return new CommandError(message, EXIT.usage);
}

const EXAMPLE = '{"claim": "identity.age", "operator": ">=", "value": 18}';

/** Describes how to correct JSON that is not a query, but resembles one or something else. */
function hintFor(json: unknown): string | undefined {
  if (Array.isArray(json)) {
    if (json.some(isCredential))
      return 'This is a list of credentials, not a query. Where a command takes both, the query comes first.';
    const isWrappable = json.length > 0 && safeParse({ policy: { allOf: json } }, { regex: re2js }).ok;
    return isWrappable
      ? 'A list of checks must be wrapped in a policy: {"policy": {"allOf": […]}}.'
      : undefined;
  }
  if (!isObject(json)) return undefined;
  const names = Object.keys(json);
  if (names.some((name) => ['check', 'policy', 'projections'].includes(name))) return undefined;
  if (names.includes('claim')) {
    return names.includes('lens')
      ? `A projection must be wrapped in a query: {"projections": [${preview(json)}]}.`
      : `A check must be wrapped in a query: {"check": ${preview(json)}}.`;
  }
  if (names.some((name) => ['allOf', 'anyOf', 'not'].includes(name)))
    return `A policy must be wrapped in a query: {"policy": ${preview(json)}}.`;
  if (isJsonLogic(json)) {
    return `This resembles JSON-Logic. A comparison must be a check: {"check": ${EXAMPLE}}; \`and\`, \`or\` and \`!\` are \`allOf\`, \`anyOf\` and \`not\` of a policy.`;
  }
  if (names.length > 0 && names.every(isClaimPath))
    return 'This is an object of claims, not a query. Where a command takes both, the query comes first.';
  return undefined;
}

const MAX_PREVIEW_CODE_UNITS = 120;

/** Returns a value as JSON, or an ellipsis if it is long. */
function preview(json: unknown): string {
  const text = JSON.stringify(json);
  return text.length <= MAX_PREVIEW_CODE_UNITS ? text : '{…}';
}

/** Returns whether JSON resembles a query, for a message about files in the wrong order. */
export function resemblesQuery(json: unknown): boolean {
  return (
    isObject(json) &&
    ['check', 'policy', 'projections', 'claim', 'allOf', 'anyOf', 'not'].some((name) => name in json)
  );
}

const JSON_LOGIC_OPERATORS =
  /^(?:and|or|if|!|!!|[=!]=|[=!]==|[<>]=?|in|some|all|none|missing|missing_some|var|cat|substr|\+|-|\*|\/|%)$/;

/** Returns whether JSON is a condition of JSON-Logic, or an operation that conditions contain: an object whose only member is named by an operator. */
function isJsonLogic(json: Readonly<Record<string, unknown>>): boolean {
  const [operator, ...others] = Object.keys(json);
  return operator !== undefined && others.length === 0 && JSON_LOGIC_OPERATORS.test(operator);
}

function isCredential(json: unknown): boolean {
  return isObject(json) && ('claims' in json || 'issuedAt' in json);
}

/** Returns whether JSON is an object. */
export function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
