/** The bar at the bottom of a narrow window: the verdict, and buttons to the policy and to the answer. */
import type { Evaluation } from '../model/evaluate.js';
import { Mark } from './parts.js';
import { outcomeOf, verdictTitle } from './verdict.js';

/** Ids of the sections to which the bar leads. */
export const POLICY_ID = 'policy';
export const ANSWER_ID = 'answer';

interface ResultBarProps {
  readonly evaluation: Evaluation;
  /** Display name of the person. */
  readonly who: string;
}

/** The bar; wide windows show policy and answer side by side, and hide it. */
export function ResultBar({ evaluation, who }: ResultBarProps) {
  return (
    <nav class="result-bar" aria-label="Policy and answer">
      <button type="button" class="button button-small" onClick={() => show(POLICY_ID)}>
        Policy
      </button>
      <button
        type="button"
        class="button button-small result-bar-verdict"
        data-outcome={evaluation.kind === 'predicate' ? outcomeOf(evaluation) : undefined}
        onClick={() => show(ANSWER_ID)}
      >
        <span class="result-bar-mark" aria-hidden="true">
          <Mark outcome={outcomeOf(evaluation)} />
        </span>
        <bdi>{verdictTitle(evaluation, who)}</bdi>
      </button>
    </nav>
  );
}

/** Scrolls to a section and moves the focus there. */
function show(id: string): void {
  const section = document.getElementById(id);
  section?.scrollIntoView();
  section?.focus({ preventScroll: true });
}
