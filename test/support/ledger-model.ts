/** Recomputes the ledger of an application from all answers that it received, by the documented rules (S360–S363). */
import { inferKnowledge } from '../../src/analysis/knowledge.js';
import type { ApplicationLedger } from '../../src/service/index.js';

/** An answer that an application received. */
export interface ReceivedAnswer {
  /** The canonical text. */
  readonly query: string;
  readonly passed: boolean;
  readonly at: number;
  /** Whether the service was restarted before. */
  readonly restarted?: boolean;
}

interface Row {
  readonly query: string;
  readonly passed: boolean;
  readonly firstAt: number;
  lastAt: number;
}

const HOUR_MS = 3_600_000;

/** @param answers - Of one grant, in order. */
export function recomputeLedger(answers: readonly ReceivedAnswer[]): ApplicationLedger {
  const rows: Row[] = [];
  // The time of the last answer that was the first to its query, or differed from the one before. A row recorded earlier is recorded again when its
  // answer is repeated.
  let newsAt = Number.NEGATIVE_INFINITY;
  for (const { query, passed, at, restarted } of answers) {
    if (restarted === true) newsAt = Math.max(...rows.map(({ lastAt }) => lastAt));
    const latest = latestOf(rows, query);
    const row = rows.find((one) => one.query === query && one.passed === passed);
    if (latest?.passed !== passed) newsAt = at;
    if (row === undefined) rows.push({ query, passed, firstAt: at, lastAt: at });
    else if (latest !== row || at - row.lastAt >= HOUR_MS || row.lastAt < newsAt) row.lastAt = at;
  }
  const queries = [...new Set(answers.map(({ query }) => query))];
  return {
    answers: queries
      .map((query) => {
        const own = answers.filter((one) => one.query === query);
        return {
          query,
          passed: own.at(-1)?.passed === true,
          firstAt: own[0]?.at ?? 0,
          lastAt: latestOf(rows, query)?.lastAt ?? 0,
          changes: own.filter((one, index) => index > 0 && own[index - 1]?.passed !== one.passed).length,
        };
      })
      .sort((one, other) => other.lastAt - one.lastAt),
    values: [],
    inferred: inferKnowledge(
      rows.map(({ query, passed, lastAt: at }) => ({ query: JSON.parse(query), passed, at })),
    ),
    moreAbout: [],
  };
}

function latestOf(rows: readonly Row[], query: string): Row | undefined {
  return rows
    .filter((row) => row.query === query)
    .reduce<Row | undefined>((one, other) => ((one?.lastAt ?? 0) > other.lastAt ? one : other), undefined);
}
