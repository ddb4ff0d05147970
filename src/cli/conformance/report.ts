/** Renders the report of the conformance suite: as text, ending with a summary in one line, and as JSON. */
import type { Deviation } from '../../testing/deviations.js';
import { shellQuoted } from '../../util/shell-quoted.js';
import { count, toPrintable, toPrintableLines } from '../output.js';
import type { Paint } from '../paint.js';
import { LANGUAGE } from './language.js';
import type { ConformanceRun } from './run-conformance.js';

/** The options of a run that the report repeats. */
export interface ReportOptions {
  readonly command: string;
  readonly without: readonly Deviation[];
  readonly codesOnly: boolean;
}

/** Failures that are listed as text; JSON has all of them. */
const MAX_LISTED = 20;

/** Renders a report as text. */
export function formatConformance(run: ConformanceRun, options: ReportOptions, paint: Paint): string {
  const details = [
    ...formatFailures(run),
    ...formatCounterexample(run, options),
    ...(run.stopped === undefined ? [] : [`The run failed: ${run.stopped}`, '']),
  ];
  const summary = paint(run.conforms ? 'green' : 'red', toPrintable(summarize(run, options)));
  // Texts of the implementation may contain control characters.
  return [...details.map(toPrintableLines), summary].join('\n');
}

/** Returns a report as JSON. */
export function toConformanceJson(run: ConformanceRun, options: ReportOptions): object {
  const { conforms, implementation, vectorCount, vectorFailures, runs, seed, skipped } = run;
  return {
    conforms,
    summary: summarize(run, options),
    language: LANGUAGE,
    ...(implementation === undefined ? {} : { implementation }),
    vectors: {
      run: vectorCount,
      passed: vectorCount - vectorFailures.length,
      skipped: skipped.vectors,
      failures: vectorFailures.map(({ vector: { id, description, decisions }, differences }) => ({
        id,
        description,
        decisions,
        differences,
      })),
    },
    scenarios: { run: runs, skipped: skipped.runs, seed },
    ...(run.counterexample === undefined ? {} : { counterexample: run.counterexample }),
    without: options.without,
    codesOnly: options.codesOnly,
    ...(run.stopped === undefined ? {} : { stopped: run.stopped }),
  };
}

/** Summarizes a run in one line. */
function summarize(run: ConformanceRun, { without, codesOnly }: ReportOptions): string {
  const { conforms, implementation, vectorCount, vectorFailures, runs, seed, skipped } = run;
  if (implementation === undefined) return `✗ the implementation could not be run`;
  const { name, version } = implementation;
  const verdict = conforms ? '✓ conforms' : run.stopped === undefined ? '✗ deviates' : '✗ failed';
  const skippedCount = skipped.vectors + skipped.runs;
  return [
    verdict,
    `${name}${version === undefined ? '' : ` ${version}`}`,
    `query language ${LANGUAGE}`,
    ...(vectorCount === 0
      ? []
      : [`${count(vectorCount - vectorFailures.length)} of ${count(vectorCount)} vectors`]),
    ...(runs === 0 ? [] : [`${count(runs)} random scenarios (seed ${seed})`]),
    ...without.map((deviation) => `without ${deviation}`),
    ...(skippedCount === 0 ? [] : [`${count(skippedCount)} skipped`]),
    ...(codesOnly ? ['problems by code only'] : []),
  ].join(' · ');
}

function formatFailures({ vectorFailures }: ConformanceRun): readonly string[] {
  if (vectorFailures.length === 0) return [];
  const more = vectorFailures.length - MAX_LISTED;
  return [
    ...vectorFailures
      .slice(0, MAX_LISTED)
      .flatMap(({ vector, differences }) => [
        `${vector.id} ${vector.description} (${vector.decisions.join(', ')})`,
        ...differences.map(indent),
      ]),
    ...(more > 0 ? [`… and ${count(more)} more; --json lists all`] : []),
    '',
  ];
}

function formatCounterexample(
  { counterexample }: ConformanceRun,
  { command, without, codesOnly }: ReportOptions,
): readonly string[] {
  if (counterexample === undefined) return [];
  const { path, seed, differences, expected, query, credentials, context } = counterexample;
  const switches = [
    ...without.map((deviation) => `--without ${deviation}`),
    ...(codesOnly ? ['--codes-only'] : []),
  ];
  const repeat = [
    'npx proviso conformance',
    `--command ${shellQuoted(command)}`,
    ...switches,
    '--no-vectors',
  ];
  return [
    'A random scenario, shrunk:',
    JSON.stringify({ query, credentials, ...context }, undefined, 2),
    `expected ${JSON.stringify(expected)}`,
    ...differences.map(indent),
    `Repeat it with: ${repeat.join(' ')} --seed ${seed} --path ${path}`,
    '',
  ];
}

function indent(line: string): string {
  return `  ${line}`;
}
