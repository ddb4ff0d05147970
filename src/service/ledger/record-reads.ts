/** Wraps the use cases that return personal data: records what a result discloses before the result is returned (S360, S362). */
import type { Reads } from '../audit/audited-reads.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { Clock } from '../ports/ports.js';
import { claimsIn } from '../user-info.js';
import { factsOfPreset, factsOfValues } from './learned-fact.js';
import type { LedgerRecorder } from './ledger-recorder.js';

/** Ports of the recording. */
export interface RecordingPorts {
  readonly clock: Clock;
  readonly catalogue: ServiceCatalogue;
  /** Absent if nothing is recorded. */
  readonly ledger?: LedgerRecorder | undefined;
}

/**
 * Wraps the sub-services so that what they disclose is recorded; returns them unchanged without a ledger. Audiences, which the administrator
 * evaluates, are not recorded.
 */
export function recordReads(reads: Reads, { ledger, clock, catalogue }: RecordingPorts): Reads {
  if (ledger === undefined) return reads;
  const { queries, credentials } = reads;
  return {
    ...reads,
    queries: {
      ...queries,
      evaluate: recorded(queries.evaluate, (result, { query }, grant) =>
        ledger.recordResult(grant, query, result, clock.now()),
      ),
      resolvePresets: recorded(queries.resolvePresets, (outcomes, _names, grant) => {
        const facts = outcomes.flatMap((outcome) =>
          factsOfPreset(outcome, catalogue.findPreset(outcome.preset)?.claim),
        );
        return ledger.record(grant, facts, clock.now());
      }),
      readUserInfo: recorded(queries.readUserInfo, (info, grant) =>
        ledger.record(grant, factsOfValues(claimsIn(info)), clock.now()),
      ),
    },
    credentials: {
      ...credentials,
      list: recorded(credentials.list, ({ items }, _request, grant) => {
        const paths = items.flatMap(({ credential }) => Object.keys(credential.claims));
        return ledger.record(grant, factsOfValues(paths), clock.now());
      }),
    },
  };
}

/** Wraps a read so that its result is recorded before it is returned. Passes on every argument. */
function recorded<Args extends readonly unknown[], Result>(
  read: (...args: Args) => Promise<Result>,
  record: (result: Result, ...args: Args) => Promise<void> | undefined,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const result = await read(...args);
    await record(result, ...args);
    return result;
  };
}
