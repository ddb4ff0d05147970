/** Figure: the cost of indexing a person's claims, compared with parsing them and with an evaluation. */
import { ClaimSet } from '../../src/index.js';
import { NOW } from '../scenarios/people.js';
import { createScenario } from '../scenarios/scenario.js';
import { WORKLOADS } from '../scenarios/workloads.js';
import { interleave, type Timing, type TimingSettings } from '../timing/interleave.js';
import { keep } from '../timing/keep.js';
import { callRunner } from '../timing/runner.js';
import { reportProgress } from './progress.js';
import { createBaseline } from './warm-up.js';

const PEOPLE = 1_000;

/** Times claim sets of 32 claims; the ratio is to one evaluation of six checks by the hand-written function. */
export async function measureClaimSets(settings: TimingSettings): Promise<readonly Timing[]> {
  reportProgress('claim sets');
  const scenario = createScenario(WORKLOADS.six, 'uniform', PEOPLE);
  const merged = scenario.people.map(({ credentials }) => [
    {
      ...credentials[0],
      id: 'all',
      source: 'https://issuer.example',
      issuedAt: 0,
      claims: Object.assign({}, ...credentials.map(({ claims }) => claims)),
    },
  ]);
  const texts = scenario.people.map(({ credentials }) => JSON.stringify(credentials));
  const [, ...timings] = await interleave(
    [
      await createBaseline('six'),
      callRunner(
        'ClaimSet.at, 32 claims in three credentials',
        scenario.people.map(
          ({ credentials }) =>
            () =>
              keep(ClaimSet.at(credentials, NOW)),
        ),
      ),
      callRunner(
        'ClaimSet.at, 32 claims in one credential',
        merged.map((credentials) => () => keep(ClaimSet.at(credentials, NOW))),
      ),
      callRunner(
        'JSON.parse of the three credentials',
        texts.map((text) => () => keep(JSON.parse(text))),
      ),
    ],
    settings,
  );
  return timings;
}
