/** The expected result of people, compared with the result of the policy. */
import type { CompletedEvaluation } from '../model/evaluate.js';
import { countExpectations, type Expected, type Results } from '../model/expected.js';
import { displayNameOf, Mark, PlainList } from './parts.js';

interface ExpectedPeopleProps {
  /** The last completed evaluation, if any. */
  readonly evaluation: CompletedEvaluation | undefined;
  /** The results of the people; `undefined` for a projection. */
  readonly results: Results | undefined;
  readonly expected: Expected;
  readonly onExpected: (expected: Expected) => void;
}

const CHOICES = [
  ['', 'not tested'],
  ['true', 'should pass'],
  ['false', 'should not pass'],
] as const;

/** Lists people, each with the expected and the actual result. */
export function ExpectedPeople({ evaluation, results, expected, onExpected }: ExpectedPeopleProps) {
  if (evaluation === undefined) return <p class="quiet">The policy is not valid yet.</p>;
  if (results === undefined) {
    return <p class="quiet">Only a check or a policy can be tested: projections have no outcome.</p>;
  }
  const choose = (name: string, choice: string) => {
    const { [name]: _previous, ...others } = expected;
    onExpected(choice === '' ? others : { ...others, [name]: choice === 'true' });
  };
  const { met, total } = countExpectations(results, expected);
  return (
    <div class="stack">
      <p class="quiet">
        {total === 0
          ? 'Choose who should pass. The expectations are part of the share link.'
          : `${met} of ${total} as expected.`}
      </p>
      <PlainList class="expectations">
        {[...results].map(([name, passes]) => {
          const wanted = Object.hasOwn(expected, name) ? expected[name] : undefined;
          const isMet = wanted === undefined ? undefined : wanted === passes;
          return (
            <li key={name} class="expectation" data-met={isMet === undefined ? undefined : String(isMet)}>
              <span class="expectation-choice">
                <span>{displayNameOf(name)}</span>
                <select
                  aria-label={`${displayNameOf(name)}: expected result`}
                  value={wanted === undefined ? '' : String(wanted)}
                  onChange={({ currentTarget }) => choose(name, currentTarget.value)}
                >
                  {CHOICES.map(([value, label]) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
              </span>
              <span class="expectation-result small">
                <span aria-hidden="true" class="result-bar-mark">
                  <Mark outcome={passes ? 'passed' : 'failed'} />
                </span>
                {passes ? 'passes' : 'does not pass'}
                {isMet === undefined ? undefined : <strong>{isMet ? 'as expected' : 'unexpected'}</strong>}
              </span>
            </li>
          );
        })}
      </PlainList>
    </div>
  );
}
