/** Records what the use cases that return personal data disclose: before the result is returned (S360, S362). */
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
      evaluate: async (request, grant, meter) => {
        const result = await queries.evaluate(request, grant, meter);
        await ledger.recordResult(grant, request.query, result, clock.now());
        return result;
      },
      resolvePresets: async (names, grant, meter) => {
        const outcomes = await queries.resolvePresets(names, grant, meter);
        const facts = outcomes.flatMap((outcome) =>
          factsOfPreset(outcome, catalogue.findPreset(outcome.preset)?.claim),
        );
        await ledger.record(grant, facts, clock.now());
        return outcomes;
      },
      readUserInfo: async (grant) => {
        const info = await queries.readUserInfo(grant);
        await ledger.record(grant, factsOfValues(claimsIn(info)), clock.now());
        return info;
      },
    },
    credentials: {
      ...credentials,
      list: async (request, grant) => {
        const page = await credentials.list(request, grant);
        const paths = page.items.flatMap(({ credential }) => Object.keys(credential.claims));
        await ledger.record(grant, factsOfValues(paths), clock.now());
        return page;
      },
    },
  };
}
