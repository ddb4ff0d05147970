/** Checks that edge cases and random policies detect each of the bugs planted in the generator of modules. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets of source text
import * as fc from 'fast-check';
import * as re2jsModule from 're2js';
import { describe, expect, it } from 'vitest';
import type { generateModule } from '../../../src/codegen/index.js';
import { re2js } from '../../../src/index.js';
import { cachePatterns } from '../../../src/testing/cache-patterns.js';
import { buildSource } from '../build-engine.js';
import {
  EDGE_CASES,
  type EvaluatedPolicy,
  evaluateWithEngine,
  firstDifference,
  policyAndPeople,
} from './module-cases.js';

const RUNS = 1_500;
const SEED = 20_261_124;

interface PlantedBug {
  readonly name: string;
  /** Path from `src/codegen/`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const OPERATORS: readonly PlantedBug[] = [
  {
    name: '== distinguishes −0 from 0 (L16)',
    file: 'check-expressions.ts',
    find: '`${parenthesized(value.first)} === ${toLiteral(expectedValue)}`',
    replace: '`Object.is(${value.first}, ${toLiteral(expectedValue)})`',
  },
  {
    name: '!= passes for an undefined claim (L14)',
    file: 'check-expressions.ts',
    find: '`${value.again} !== ${toLiteral(expectedValue)}`, value.isDefined',
    replace: "`${value.again} !== ${toLiteral(expectedValue)}`, 'true'",
  },
  {
    name: '!= null passes for an undefined claim (L14)',
    file: 'check-expressions.ts',
    find: '!== null && ${value.isDefined}',
    replace: '!== null',
  },
  {
    name: '!= of an object passes for an undefined claim (L14)',
    file: 'check-expressions.ts',
    find: '![undefined, ${jsonText(expectedValue)}]',
    replace: '![${jsonText(expectedValue)}]',
  },
  {
    name: '>= is strict (L17)',
    file: 'check-expressions.ts',
    find: "'>=': ordering('>='),",
    replace: "'>=': ordering('>'),",
  },
  {
    name: 'dates are compared as strings (L17)',
    file: 'check-expressions.ts',
    find: '`instant(${value.again}) ${operator} ${at}`',
    replace: '`${value.again} ${operator} ${toLiteral(text)}`',
  },
  {
    name: 'of a long list, the last entry is lost (L18)',
    file: 'check-expressions.ts',
    find: '`${constants.set(entries)}.has(${first})`',
    replace: '`${constants.set(entries.slice(0, -1))}.has(${first})`',
  },
  {
    name: 'of a short list, the last entry is lost (L18)',
    file: 'check-expressions.ts',
    find: 'entries.map((entry, index)',
    replace: 'entries.slice(0, 3).map((entry, index)',
  },
  {
    name: 'notIn passes for an undefined claim (L14)',
    file: 'check-expressions.ts',
    find: '`!${parenthesized(isListed)}`, value.isDefined',
    replace: "`!${parenthesized(isListed)}`, 'true'",
  },
  {
    name: 'notIn of a mixed list passes for an undefined claim (L14)',
    file: 'check-expressions.ts',
    find: "['undefined', ...list.map(jsonText)]",
    replace: 'list.map(jsonText)',
  },
  {
    name: 'entries of a mixed list are compared by reference (L18)',
    file: 'check-expressions.ts',
    find: '`${constants.set(list.map(jsonText))}.has(JSON.stringify(${value.json}))`',
    replace: '`${constants.set(list.map(toLiteral))}.has(${value.json})`',
  },
  {
    name: 'contains searches in strings (L18)',
    file: 'check-expressions.ts',
    find: 'return `Array.isArray(${json}) && ${again}.${found}`;',
    replace: 'return `(${json})?.includes !== undefined && ${again}.${found}`;',
  },
  {
    name: 'contains requires that the first element equals an object (L18)',
    file: 'check-expressions.ts',
    find: '`some((element)',
    replace: '`slice(0, 1).some((element)',
  },
  {
    name: 'startsWith searches anywhere (L18)',
    file: 'check-expressions.ts',
    find: '}.startsWith(',
    replace: '}.includes(',
  },
  {
    name: 'startsWith compares code points (L18)',
    file: 'check-expressions.ts',
    find: '`${value.again}.startsWith(${toLiteral(expectedValue)})`',
    replace: '`[...${toLiteral(expectedValue)}].every((point, at) => [...${value.again}][at] === point)`',
  },
  {
    name: 'literal patterns are anchored (L18)',
    file: 'module-constants.ts',
    find: '`${string}.includes(',
    replace: '`${string}.startsWith(',
  },
  {
    name: 'patterns are written as they are (L18)',
    file: 'module-constants.ts',
    find: 'RE2JS.compile(${toLiteral(pattern)})',
    replace: "new RegExp(${toLiteral(pattern.replace(/\\(\\?/g, '(?:').replace(/\\\\[pP]/g, '.'))})",
  },
];

const POLICIES: readonly PlantedBug[] = [
  {
    name: 'a negation applies to the first part of an expression (L19)',
    file: 'generate-module.ts',
    find: 'return `!${parenthesized(this.#renderItem(item.item, indent))}`;',
    replace: 'return `!${this.#renderItem(item.item, indent)}`;',
  },
  {
    name: '`test` combines groups by && only (L19)',
    file: 'generate-module.ts',
    find: "const operator = item.kind === 'allOf' ? '&&' : '||';",
    replace: "const operator = '&&';",
  },
  {
    name: 'the verdict of `evaluate` ignores negations (L19)',
    file: 'generate-module.ts',
    find: 'return `!${parenthesized(renderVerdict(item.item))}`;',
    replace: 'return renderVerdict(item.item);',
  },
  {
    name: 'the verdict of `evaluate` swaps groups (L19)',
    file: 'generate-module.ts',
    find: "item.kind === 'allOf' ? ' && ' : ' || '",
    replace: "item.kind === 'anyOf' ? ' && ' : ' || '",
  },
];

const CLAIMS: readonly PlantedBug[] = [
  {
    name: 'null is not JSON (L12)',
    file: 'helpers.ts',
    find: 'typeof value === "boolean" || value === null || Number',
    replace: 'typeof value === "boolean" || Number',
  },
  {
    name: 'claims may nest one level less (S152)',
    file: 'helpers.ts',
    find: 'copy(value, ${MAX_VALUE_DEPTH}',
    replace: 'copy(value, ${MAX_VALUE_DEPTH - 1}',
  },
  {
    name: 'claims may nest one level deeper (S152)',
    file: 'helpers.ts',
    find: 'copy(value, ${MAX_VALUE_DEPTH}',
    replace: 'copy(value, ${MAX_VALUE_DEPTH + 1}',
  },
  {
    name: 'members keep the order of the record (L24)',
    file: 'helpers.ts',
    find: 'Object.keys(value).sort()',
    replace: 'Object.keys(value)',
  },
  {
    name: 'a member named __proto__ is lost (L24)',
    file: 'helpers.ts',
    find: '? undefined : Object.fromEntries(members);',
    replace:
      '? undefined : members.reduce((object, [name, member]) => { object[name] = member; return object; }, {});',
  },
  {
    name: 'an operand with a member named __proto__ has its prototype set (L24)',
    file: 'literals.ts',
    find: '\'["__proto__"]\'',
    replace: "'__proto__'",
  },
  {
    name: 'shorter parent claims are tried if the longest has no such member (L13)',
    file: 'helpers.ts',
    find: 'return path.slice(end + 1).split(".").reduce(member, value);',
    replace:
      'const found = path.slice(end + 1).split(".").reduce(member, value); if (found !== undefined) return found;',
  },
  {
    name: 'a path reaches a prototype (L13)',
    file: 'helpers.ts',
    find: 'isPlain(object) && Object.hasOwn(object, name)',
    replace: 'isPlain(object) && name in object',
  },
  {
    name: 'a path reaches into arrays (L13)',
    file: 'helpers.ts',
    find: '(isPlain(object) && Object',
    replace: '(object && Object',
  },
  {
    name: 'a member claim is read without its parent (L13)',
    file: 'generate-module.ts',
    find: 'return claim.parents.length === 0;',
    replace: 'return claim.path !== "";',
  },
];

const INSTANTS: readonly PlantedBug[] = [
  {
    name: 'offsets are added (L17)',
    file: 'helpers.ts',
    find: 'sign === "-" ? -1 : 1',
    replace: 'sign === "-" ? 1 : -1',
  },
  { name: 'fractions are not padded (L17)', file: 'helpers.ts', find: '.padEnd(3, "0")', replace: '' },
  {
    name: 'the 31st of any month exists (L17)',
    file: 'helpers.ts',
    find: 'if (day > 28 &&',
    replace: 'if (day > 31 &&',
  },
  {
    name: 'a leap second may be anywhere (L17)',
    file: 'helpers.ts',
    find: 'return at % 86400000 === 0 && new Date(at).getUTCDate() === 1 ? at : NaN;',
    replace: 'return at;',
  },
  { name: 'separators must be in upper case (L17)', file: 'helpers.ts', find: '(?:[Tt](', replace: '(?:T(' },
];

const RESULTS: readonly PlantedBug[] = [
  {
    name: 'undefined claims are listed as used (L21)',
    file: 'generate-module.ts',
    find: '.filter(({ value }) => value !== undefined) : all;',
    replace: ': all;',
  },
  {
    name: 'null claims are not listed as used (L21)',
    file: 'generate-module.ts',
    find: '? all.filter(({ value }) => value !== undefined) : all;',
    replace: '|| true ? all.filter(({ value }) => value != null) : all;',
  },
  {
    name: 'a null operand is shown as true (L21)',
    file: 'generate-module.ts',
    find: 'this.#constants.operand(expectedValue)',
    replace: 'this.#constants.operand(expectedValue ?? true)',
  },
  {
    name: 'a result expires with the last credential (L22)',
    file: 'helpers.ts',
    find: 'Math.min(earliest, credential.expiresAt ?? Infinity)',
    replace: 'Math.max(earliest === Infinity ? 0 : earliest, credential.expiresAt ?? Infinity)',
  },
  {
    name: 'evidence names the source as the credential (L21)',
    file: 'helpers.ts',
    find: 'claim.credentialId = credential.id;',
    replace: 'claim.credentialId = credential.source;',
  },
  {
    name: 'a result expires at once (L22)',
    file: 'helpers.ts',
    find: 'format(at + LIFETIME_MS)',
    replace: 'format(at)',
  },
  {
    name: 'the instant of an earlier evaluation is kept (L24)',
    file: 'helpers.ts',
    find: '  now = at;\n  evaluatedAt = format(at);',
    replace: '  now = at;\n  evaluatedAt ||= format(at);',
  },
  {
    name: 'the cost of patterns is not limited (S156)',
    file: 'module-constants.ts',
    find: 'if (cost <= ${this.#limit}) return true;',
    replace: 'return true;',
  },
];

const BUGS = [...OPERATORS, ...POLICIES, ...CLAIMS, ...INSTANTS, ...RESULTS];

const regex = cachePatterns(re2js);
const drawn = [...EDGE_CASES, ...fc.sample(policyAndPeople(4), { numRuns: RUNS, seed: SEED })].map((each) =>
  evaluateWithEngine(each, regex),
);

describe(`edge cases and ${RUNS} random policies with four people each`, () => {
  it('show no difference for the generator without a bug', async () => {
    const generate = await buildGenerator('literals.ts', (text) => text);
    expect(differenceOf(generate, drawn)).toBeUndefined();
  });

  it.each(BUGS)('detect the bug: $name', async (bug) => {
    expect(differenceOf(await buildWith(bug), drawn)).toBeDefined();
  });

  it('do not detect a bug that uses a variable that the generator does not have, but throw', async () => {
    const generate = await buildWith({
      name: 'a variable that does not exist',
      file: 'check-expressions.ts',
      find: "'>=': ordering('>='),",
      replace: "'>=': () => reference,",
    });
    expect(() => differenceOf(generate, drawn)).toThrow(ReferenceError);
  });
});

/** Returns a description of the first difference. */
function differenceOf(
  generate: typeof generateModule,
  policies: readonly EvaluatedPolicy[],
): string | undefined {
  for (const each of policies) {
    let code: string;
    try {
      code = generate(each.query, { format: 'cjs', evidence: true }).code;
    } catch (error) {
      // Not a detection: the planted bug uses a variable that the generator does not have.
      if (error instanceof ReferenceError) throw error;
      return String(error);
    }
    try {
      const found = firstDifference(each, code, re2jsModule);
      if (found !== undefined) return found;
    } catch (error) {
      // A bug may be a syntax error in the module of some policies.
      return String(error);
    }
  }
  return undefined;
}

function buildWith({ file, find, replace }: PlantedBug): Promise<typeof generateModule> {
  return buildGenerator(file, (text) => {
    const parts = text.split(find);
    if (parts.length !== 2) throw new Error(`found ${parts.length - 1} times in ${file}: ${find}`);
    return parts.join(replace);
  });
}

async function buildGenerator(file: string, edit: (text: string) => string): Promise<typeof generateModule> {
  const built = await buildSource(['codegen/index.js'], `codegen/${file}`, edit);
  return (built as { readonly generateModule: typeof generateModule }).generateModule;
}
