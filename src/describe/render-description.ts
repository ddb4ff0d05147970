/** Renders the description of a query as plain text. */
import { assertArray, assertObject, wrongType } from '../engine/value-types.js';
import type { DescribedItem, QueryDescription } from './describe-query.js';

/**
 * Renders a description as lines: what is learned, with list entries as bullet points, then what is not.
 *
 * @throws {TypeError} For anything but a description.
 * @example
 * renderDescription(describeQuery({ check: { claim: 'identity.age', operator: '>=', value: 18 } }))
 * // Whether you are 18 or older.
 * // Not your age itself, not your date of birth, …
 */
export function renderDescription(description: QueryDescription): string {
  assertObject('`description`', description);
  const { learned, notLearnedText } = description;
  assertText('`notLearnedText` of the description', notLearnedText);
  const lines = itemLines(learned, '', '');
  return (notLearnedText === '' ? lines : [...lines, notLearnedText]).join('\n');
}

/** Renders an item, and the list below it. */
function itemLines(item: DescribedItem, indent: string, bullet: string): readonly string[] {
  assertObject('each item of the description', item);
  assertText('`text` of each item', item.text);
  assertArray('`items` of each item', item.items);
  const inner = indent + ' '.repeat(bullet.length);
  return [`${indent}${bullet}${item.text}`, ...item.items.flatMap((each) => itemLines(each, inner, '- '))];
}

function assertText(argument: string, text: unknown): asserts text is string {
  if (typeof text !== 'string') throw wrongType(argument, 'a string', text);
}
