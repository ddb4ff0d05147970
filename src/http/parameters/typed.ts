/** Members of a body by their declared types: nothing of another type gets past here (S34, S39). */
import type { Parameters } from './body.js';
import { malformed } from './malformed.js';

/** A text that is not empty, or nothing (S40). @throws {ServiceError} `malformed_body` for any other type. */
export function optionalText(parameters: Parameters, name: string): string | undefined {
  const value = parameters.get(name);
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw malformed(`/${name}`, 'not_a_string', `\`${name}\` is a string.`);
}

/** As {@link optionalText}, for a parameter that has to be there. */
export function requiredText(parameters: Parameters, name: string): string {
  const value = optionalText(parameters, name);
  if (value === undefined) throw malformed('', 'member_missing', `The request needs \`${name}\`.`);
  return value;
}

/** A list of texts, or nothing. @throws {ServiceError} `malformed_body` for anything else. */
export function optionalTexts(parameters: Parameters, name: string): readonly string[] | undefined {
  const value = parameters.get(name);
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw malformed(`/${name}`, 'not_an_array', `\`${name}\` is an array of strings.`);
}

/** `true`, `false`, `1` or `0`, as a text or as a boolean; `false` where it is absent. */
export function optionalFlag(parameters: Parameters, name: string): boolean {
  const value = parameters.get(name);
  if (value === undefined || value === '' || value === false || value === 'false' || value === '0')
    return false;
  if (value === true || value === 'true' || value === '1') return true;
  throw malformed(`/${name}`, 'not_a_flag', `\`${name}\` is \`true\`, \`false\`, \`1\` or \`0\`.`);
}

/** Refuses what the endpoint does not know (S38). @throws {ServiceError} `malformed_body` */
export function assertOnly(parameters: Parameters, names: readonly string[]): void {
  for (const name of parameters.keys()) {
    if (names.includes(name)) continue;
    const known = names.map((one) => `\`${one}\``).join(', ');
    throw malformed(`/${name.slice(0, 64)}`, 'member_unknown', `The body has ${known} only.`);
  }
}
