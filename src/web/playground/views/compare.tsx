/** Compares the policy with another one, and shows people for whom they differ. */

import { useMemo } from 'preact/hooks';
import type { Credential, RegexEngine } from '../../../engine/index.js';
import type { EditorHelp } from '../editor/completions.js';
import { type Comparison, comparePolicies } from '../model/compare.js';
import type { CompletedEvaluation, Evaluation } from '../model/evaluate.js';
import { JsonField } from './json-field.js';
import { ClaimList, Message } from './parts.js';

interface CompareProps {
  /** The policy of the playground. */
  readonly text: string;
  /** The last completed evaluation of this policy, if any. */
  readonly evaluation: CompletedEvaluation | undefined;
  /** The other policy. */
  readonly other: string | undefined;
  readonly evaluateOther: (text: string) => Evaluation;
  readonly regex: RegexEngine;
  readonly help: EditorHelp;
  readonly onOther: (text: string) => void;
  /** Called to make the other policy the policy of the playground, and vice versa. */
  readonly onSwap: () => void;
  /** Called to show the result for a witness. */
  readonly onWitness: (witness: Credential) => void;
}

/** The two policies side by side, and how they differ. */
export function Compare(props: CompareProps) {
  const { text, evaluation, other, evaluateOther, regex, help, onOther, onSwap, onWitness } = props;
  const otherEvaluation = useMemo(
    () => (other === undefined ? undefined : evaluateOther(other)),
    [other, evaluateOther],
  );
  const query = evaluation?.kind === 'predicate' ? evaluation.query : undefined;
  const otherQuery = otherEvaluation?.kind === 'predicate' ? otherEvaluation.query : undefined;
  const comparison = useMemo(
    () =>
      query === undefined || otherQuery === undefined ? undefined : comparePolicies(query, otherQuery, regex),
    [query, otherQuery, regex],
  );
  if (other === undefined || otherEvaluation === undefined) {
    return (
      <div class="stack">
        <p class="quiet">
          Compares the policy with a second one: shows whether the same people pass both, and if not, people
          for whom they differ.
        </p>
        <p>
          <button type="button" class="button button-small" onClick={() => onOther(text)}>
            Start with a copy of the policy
          </button>
        </p>
      </div>
    );
  }
  return (
    <div class="stack">
      <div class="compared">
        <section class="compared-policy" aria-labelledby="compared-this">
          <h3 id="compared-this">This policy</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable by keyboard */}
          <pre class="code compared-text" dir="ltr" tabIndex={0}>
            <code>{text}</code>
          </pre>
        </section>
        <section class="compared-policy" aria-labelledby="compared-other">
          <h3 id="compared-other">Other policy</h3>
          <div class="own-field">
            <JsonField
              label="Other policy, as JSON"
              text={other}
              onText={onOther}
              notes={otherEvaluation.notes}
              help={help}
            />
          </div>
        </section>
      </div>
      <div role="status">
        {otherEvaluation.kind === 'problems' ? (
          <p class="own-problem">
            The other policy is not valid yet: <Message text={otherEvaluation.notes[0]?.message ?? ''} />
          </p>
        ) : evaluation === undefined ? (
          <p class="own-problem">This policy is not valid yet.</p>
        ) : comparison === undefined ? (
          <p class="quiet">Only checks and policies can be compared: projections have no outcome.</p>
        ) : (
          <Difference comparison={comparison} onWitness={onWitness} />
        )}
      </div>
      <p>
        <button type="button" class="button button-small" onClick={onSwap}>
          Swap the policies
        </button>
      </p>
    </div>
  );
}

interface DifferenceProps {
  readonly comparison: Comparison;
  readonly onWitness: (witness: Credential) => void;
}

function Difference({ comparison, onWitness }: DifferenceProps) {
  switch (comparison.kind) {
    case 'equivalent':
      return <p class="compared-verdict">Equivalent: both pass for the same people.</p>;
    case 'unknown':
      return <p class="compared-verdict">Not decided: {comparison.reason}.</p>;
    case 'different': {
      const { onlyThis, onlyOther } = comparison;
      return (
        <div class="stack">
          <p class="compared-verdict">
            {onlyThis === undefined
              ? 'Stricter: everyone who passes this policy also passes the other, but not vice versa.'
              : onlyOther === undefined
                ? 'Less strict: everyone who passes the other policy also passes this one, but not vice versa.'
                : 'Neither implies the other.'}
          </p>
          <div class="compared">
            {onlyThis === undefined ? undefined : (
              <Witness title="Passes only this policy" witness={onlyThis} onWitness={onWitness} />
            )}
            {onlyOther === undefined ? undefined : (
              <Witness title="Passes only the other policy" witness={onlyOther} onWitness={onWitness} />
            )}
          </div>
        </div>
      );
    }
  }
}

interface WitnessProps {
  readonly title: string;
  readonly witness: Credential;
  readonly onWitness: (witness: Credential) => void;
}

function Witness({ title, witness, onWitness }: WitnessProps) {
  return (
    <section class="well stack stack-tight" aria-label={title}>
      <h3>{title}</h3>
      {Object.keys(witness.claims).length === 0 ? (
        <p>A person without claims.</p>
      ) : (
        <ClaimList claims={witness.claims} />
      )}
      <p>
        <button type="button" class="button button-small" onClick={() => onWitness(witness)}>
          Show the result for this person
        </button>
      </p>
    </section>
  );
}
