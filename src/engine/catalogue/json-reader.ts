/** Reads typed members of JSON values and collects every problem. */

import { isPlainObject } from '../../util/is-plain-object.js';
import { joinProblems, type Problem, ProblemList, ProblemsError, pointerTo } from '../problems.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Problem codes shared by all readers. */
export type ShapeCode =
  | 'not_an_object'
  | 'not_an_array'
  | 'not_a_string'
  | 'value_unknown'
  | 'name_malformed'
  | 'member_missing'
  | 'member_unknown';

/** Base class of the errors for an invalid document; `problems` lists its problems. */
export class FileError<Found extends Problem, Code extends string> extends ProblemsError<Found, Code> {
  constructor(code: Code, problems: readonly Found[]) {
    super(code, joinProblems(problems, 'the document'), problems);
  }
}

/** Base class of the readers, one instance per document. Methods never throw: an invalid value is reported and treated as absent. */
export class JsonReader<Code extends string> extends ProblemList<Problem<Code | ShapeCode>> {
  /** Reads an object with no other members than these. */
  object(value: unknown, pointer: string, members: readonly string[]): JsonObject | undefined {
    if (!isPlainObject(value)) {
      return this.add('not_an_object', pointer, `The value must be an object with ${list(members)}.`);
    }
    for (const name of Object.keys(value)) {
      if (members.includes(name)) continue;
      this.add(
        'member_unknown',
        pointerTo(pointer, name),
        `Unknown member; the members are ${list(members)}.`,
      );
    }
    return value;
  }

  /** Reads the entries of an object with any members. */
  entries(value: unknown, pointer: string): readonly (readonly [name: string, value: unknown])[] {
    if (isPlainObject(value)) return Object.entries(value);
    this.add('not_an_object', pointer, 'The value must be an object.');
    return [];
  }

  /** Reads the elements of an array, `undefined` for a hole; an empty list if absent. */
  list(object: JsonObject | undefined, name: string, parent: string): readonly unknown[] {
    const value = object?.[name];
    if (value === undefined) return [];
    if (Array.isArray(value)) return [...value];
    this.add('not_an_array', pointerTo(parent, name), `\`${name}\` must be an array.`);
    return [];
  }

  /** Reads a member with its pointer; `undefined` if absent. */
  optional<Value>(
    object: JsonObject | undefined,
    name: string,
    parent: string,
    read: (value: unknown, pointer: string) => Value,
  ): Value | undefined {
    const value = object?.[name];
    return value === undefined ? undefined : read(value, pointerTo(parent, name));
  }

  /** Reads a required, non-empty string. */
  string(object: JsonObject | undefined, name: string, parent: string): string | undefined {
    const value = object?.[name];
    if (typeof value === 'string' && value !== '') return value;
    if (object === undefined) return undefined;
    if (value === undefined) return this.add('member_missing', parent, `\`${name}\` is required.`);
    return this.add('not_a_string', pointerTo(parent, name), `\`${name}\` must be a non-empty string.`);
  }

  /** Reads a string that matches a pattern. @param form - Describes the pattern in the message, after the verb. */
  matching(
    object: JsonObject | undefined,
    name: string,
    parent: string,
    pattern: RegExp,
    form: string,
    verb = 'consist of',
  ): string | undefined {
    const string = this.string(object, name, parent);
    if (string === undefined || pattern.test(string)) return string;
    return this.add('name_malformed', pointerTo(parent, name), `\`${name}\` must ${verb} ${form}.`);
  }

  /** Reads one of several strings. */
  oneOf<Value extends string>(
    object: JsonObject | undefined,
    name: string,
    parent: string,
    values: readonly Value[],
  ): Value | undefined {
    const string = this.string(object, name, parent);
    const found = values.find((value) => value === string);
    if (string === undefined || found !== undefined) return found;
    return this.add('value_unknown', pointerTo(parent, name), `\`${name}\` must be one of ${list(values)}.`);
  }

  /** Reads an array of non-empty strings; an empty list if absent. */
  strings(object: JsonObject | undefined, name: string, parent: string): readonly string[] {
    const strings = this.list(object, name, parent);
    return strings.filter((string, index): string is string => {
      if (typeof string === 'string' && string !== '') return true;
      const pointer = pointerTo(pointerTo(parent, name), index);
      this.add('not_a_string', pointer, `\`${name}\` must be an array of non-empty strings.`);
      return false;
    });
  }
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
