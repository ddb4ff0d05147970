/** Parts of pages that are generated from results. */
import type { Spread } from '../timing/statistics.js';

const BEGIN = '<!-- measured: written by the benchmarks -->';
const END = '<!-- end of the measured part -->';

/**
 * Replaces the measured part of a page.
 *
 * @param name - The page's name, for the error.
 * @throws {Error} If the page does not have the markers of the measured part.
 */
export function replaceMeasured(page: string, name: string, part: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${name} must contain the markers of the measured part`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${part}\n\n${page.slice(end)}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Formats the median, followed by the quartiles in parentheses. */
export function spread(values: Spread | undefined): string {
  return values === undefined ? '–' : `${number(values.median)} (${number(values.q1)}–${number(values.q3)})`;
}

export function number(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
