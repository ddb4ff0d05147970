/** Warm-up queries, so that no engine is specialized for the timed query. */
import { type PolicyItem, parse } from '../../src/index.js';
import { CLAIMS, type ClaimValue, COUNTRY_CODES } from './claims.js';
import { drawPeople } from './people.js';
import { createSeededNumbers, type SeededNumbers } from './random.js';
import { type Scenario, scopesFor } from './scenario.js';

const PATHS = Object.keys(CLAIMS);
const PEOPLE = 100;
const MAX_DEPTH = 3;
const PATTERNS = ['^[A-M]', '[0-9]{3}$', '(a|e)', 'example', '^\\+4[0-9]', '\\.', '^[a-z]+'];

/** Draws queries of at most 64 checks each, which all have the same one hundred people, of the shape `mixed`. */
export function warmUpScenarios(count: number): readonly Scenario[] {
  const numbers = createSeededNumbers(77);
  const people = drawPeople(PEOPLE, 'mixed', PATHS, 78);
  return Array.from({ length: count }, () => {
    const query = parse(item(numbers, 0)) as PolicyItem;
    return { workload: undefined, query, scopes: scopesFor(query), people };
  });
}

function item(numbers: SeededNumbers, depth: number): unknown {
  const form = depth === MAX_DEPTH ? 0 : numbers.below(6);
  if (form <= 2 && depth > 0) return { check: check(numbers) };
  if (form === 3 && depth > 0) return { policy: { not: item(numbers, depth + 1) } };
  const items = Array.from({ length: 1 + numbers.below(4) }, () => item(numbers, depth + 1));
  return { policy: form % 2 === 0 ? { allOf: items } : { anyOf: items } };
}

function check(numbers: SeededNumbers): unknown {
  const claim = numbers.pick(PATHS);
  const source = CLAIMS[claim];
  const value = source?.draw(numbers) as ClaimValue;
  if (source?.type === 'boolean') return { claim, operator: numbers.pick(['==', '!=']), value };
  if (source?.type === 'number') {
    return { claim, operator: numbers.pick(['==', '!=', '>', '>=', '<', '<=']), value };
  }
  const operator = numbers.pick(['==', '!=', 'in', 'notIn', 'startsWith', 'matchRegex']);
  if (operator === 'in' || operator === 'notIn') {
    return { claim, operator, value: numbers.sample(COUNTRY_CODES, 1 + numbers.below(30)) };
  }
  if (operator === 'matchRegex') return { claim, operator, value: numbers.pick(PATTERNS) };
  return { claim, operator, value: operator === 'startsWith' ? String(value).slice(0, 2) : value };
}
