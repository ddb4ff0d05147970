/** Finds the allowed members and values at a path of a JSON Schema (2020-12). */

import type { JsonObject, JsonValue } from '../../../engine/index.js';
import { omitUndefined } from '../../../util/omit-undefined.js';

/** Member names and array indexes, from the root. */
export type Path = readonly (string | number)[];

/** The members of an object by name: the text of each string, and `''` for any other value. */
export type Siblings = ReadonlyMap<string, string>;

/** A possible member of an object. */
export interface PossibleMember {
  readonly name: string;
  readonly description?: string;
  /** The start of its value, as a snippet. */
  readonly begin: string;
}

/** A possible value. */
export interface PossibleValue {
  readonly value: JsonValue;
  readonly description?: string;
}

/** Finds members and values by path. Never throws. */
export interface SchemaGuide {
  membersAt(path: Path, siblings: Siblings): readonly PossibleMember[];
  valuesAt(path: Path, siblings: Siblings): readonly PossibleValue[];
  /** Whether the value is a claim path. */
  isClaimAt(path: Path): boolean;
  /** Whether the value is an item of a policy. */
  isItemAt(path: Path): boolean;
}

const BEGINNINGS: Readonly<Record<string, string>> = { array: '[#{}]', object: '{#{}}', string: '"#{}"' };

/**
 * Creates a guide.
 *
 * @param schema - Only these keywords are supported: `$ref` into `$defs`, `anyOf`, `properties`, `items`, `type`, `enum`, `const`, `maxProperties`
 *   and `description`. The definitions `claim` and `item` are those of claim paths and of items of a policy.
 */
export function createSchemaGuide(schema: JsonObject): SchemaGuide {
  const definitions = objectOf(schema['$defs']);
  const claim = objectOf(definitions['claim']);
  const item = objectOf(definitions['item']);

  const resolved = (node: JsonObject): JsonObject => {
    const name = /^#\/\$defs\/(.+)$/.exec(textOf(node['$ref']))?.[1];
    return name === undefined ? node : objectOf(definitions[name]);
  };
  /** Returns a schema and its `anyOf` alternatives. */
  const alternatives = (node: JsonObject): readonly JsonObject[] => {
    const own = resolved(node);
    return [own, ...listOf(own['anyOf']).flatMap(alternatives)];
  };
  const schemasAt = (path: Path): readonly JsonObject[] =>
    path.reduce<readonly JsonObject[]>((schemas, step) => {
      const inner = schemas.flatMap((one) => {
        const next = typeof step === 'number' ? one['items'] : ownMember(objectOf(one['properties']), step);
        return next === undefined ? [] : alternatives(objectOf(next));
      });
      return [...new Set(inner)];
    }, alternatives(schema));

  return {
    membersAt: (path, siblings) => {
      const fitting = schemasAt(path).filter((one) => fits(one, siblings));
      const members = new Map<string, PossibleMember>();
      for (const { properties } of fitting) {
        for (const [name, member] of Object.entries(objectOf(properties))) {
          if (siblings.has(name) || members.has(name)) continue;
          const known = alternatives(objectOf(member));
          const description = known.map((one) => textOf(one['description'])).find((text) => text !== '');
          const begin = BEGINNINGS[known.map((one) => textOf(one['type'])).find((type) => type !== '') ?? ''];
          const isEnumerated = known.some((one) => 'enum' in one || 'const' in one);
          members.set(name, {
            name,
            ...omitUndefined({ description }),
            begin: isEnumerated ? '"#{}"' : (begin ?? '#{}'),
          });
        }
      }
      return [...members.values()];
    },
    valuesAt: (path, siblings) => {
      const name = path.at(-1);
      const parentSchemas = typeof name === 'string' ? schemasAt(path.slice(0, -1)) : [];
      const others = new Map([...siblings].filter(([sibling]) => sibling !== name));
      const schemas =
        typeof name === 'string'
          ? parentSchemas
              .filter((one) => fits(one, others))
              .flatMap((one) => alternatives(objectOf(ownMember(objectOf(one['properties']), name))))
          : schemasAt(path);
      const found = schemas.flatMap((one) => {
        const values = 'const' in one ? [one['const'] as JsonValue] : arrayOf(one['enum']);
        const description = textOf(one['description']);
        return values.map((value) => ({ value, ...(description === '' ? {} : { description }) }));
      });
      return [...new Map(found.map((one) => [JSON.stringify(one.value), one])).values()];
    },
    isClaimAt: (path) => schemasAt(path).includes(claim),
    isItemAt: (path) => schemasAt(path).includes(item),
  };
}

/** Whether an object with these members may have one more: all are known, enumerated values match, and `maxProperties` allows it. */
function fits(schema: JsonObject, siblings: Siblings): boolean {
  const properties = objectOf(schema['properties']);
  const most = schema['maxProperties'];
  if (typeof most === 'number' && siblings.size >= most) return false;
  return [...siblings].every(([name, value]) => {
    const member = ownMember(properties, name);
    if (member === undefined) return false;
    const { enum: words, const: word } = objectOf(member);
    if (word !== undefined) return value === '' || word === value;
    return words === undefined || value === '' || arrayOf(words).includes(value);
  });
}

function ownMember(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function arrayOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return arrayOf(value).map(objectOf);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
