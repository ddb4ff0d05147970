/** Shows the verdict: passes, does not pass, discloses claims, or the problems of the query. */
import type { Outcome } from '../../../analysis/policy-tree.js';
import type { Evaluation, Note } from '../model/evaluate.js';
import { countOutcomes } from '../model/policy-tree.js';
import { counted, formatDateTime, formatValue, lineOf, Mark, Message, PlainList } from './parts.js';

interface VerdictProps {
  readonly evaluation: Evaluation;
  /** Display name of the person. */
  readonly who: string;
  readonly text: string;
  /** Called to select the span of a note in the editor. */
  readonly onNote: (note: Note) => void;
}

/** Shows the verdict or the problems. */
export function Verdict({ evaluation, who, text, onNote }: VerdictProps) {
  if (evaluation.kind === 'problems') return <Problems evaluation={evaluation} text={text} onNote={onNote} />;
  if (evaluation.kind === 'projection') {
    return (
      <div class="verdict" data-outcome="disclosed">
        <Mark outcome="passed" size={36} isDecorative />
        <div>
          <p class="verdict-word">{verdictTitle(evaluation, who)}</p>
          <p class="small">
            Nothing else about <bdi>{who}</bdi> is disclosed. Valid until{' '}
            {formatDateTime(evaluation.result.expiresAt)}.
          </p>
        </div>
      </div>
    );
  }
  const { passed, expiresAt } = evaluation.result;
  return (
    <div class="verdict" data-outcome={passed ? 'passed' : 'failed'}>
      <Mark outcome={passed ? 'passed' : 'failed'} size={36} isDecorative />
      <div>
        <p class="verdict-word">
          <bdi>{verdictTitle(evaluation, who)}</bdi>
        </p>
        <p class="small">
          {summarize(evaluation)} Valid until {formatDateTime(expiresAt)}.
        </p>
      </div>
    </div>
  );
}

/** Returns the verdict in a few words. */
export function verdictTitle(evaluation: Evaluation, who: string): string {
  switch (evaluation.kind) {
    case 'problems':
      return 'Not a valid query yet';
    case 'projection':
      return `Discloses ${counted(Object.keys(evaluation.result.data).length, 'claim')}`;
    case 'predicate':
      return `${who} ${evaluation.result.passed ? 'passes' : 'does not pass'}`;
  }
}

/** Returns the outcome whose mark represents an evaluation. */
export function outcomeOf(evaluation: Evaluation): Outcome {
  if (evaluation.kind === 'problems') return 'undefined';
  return evaluation.kind === 'projection' || evaluation.result.passed ? 'passed' : 'failed';
}

/** Returns the verdict as text, for screen readers. */
export function describeVerdict(evaluation: Evaluation, who: string): string {
  const title = verdictTitle(evaluation, who);
  switch (evaluation.kind) {
    case 'problems':
      return `${title}: ${evaluation.notes[0]?.message ?? ''}`;
    case 'projection':
      return `${title} of ${who}.`;
    case 'predicate':
      return `${title}. ${summarize(evaluation)}`;
  }
}

/** Lists the disclosed claims (L23). */
export function Disclosed({
  data,
}: {
  readonly data: Extract<Evaluation, { kind: 'projection' }>['result']['data'];
}) {
  return (
    <PlainList class="tree" label="Disclosed claims">
      {Object.entries(data).map(([path, value]) => (
        <li class="check" key={path} data-outcome={value === null ? 'undefined' : 'passed'}>
          <Mark outcome={value === null ? 'undefined' : 'passed'} isDecorative />
          <span class="check-condition">
            <code class="check-claim">
              <bdi>{path}</bdi>
            </code>
          </span>
          <span class="check-found">
            <code class="check-actual">
              <bdi>{formatValue(value)}</bdi>
            </code>
          </span>
        </li>
      ))}
    </PlainList>
  );
}

function summarize({ tree }: Extract<Evaluation, { kind: 'predicate' }>): string {
  const { passed, failed, undefined: notDefined } = countOutcomes(tree);
  const total = passed + failed + notDefined;
  if (total === 1) {
    if (passed === 1) return '1 check passes.';
    return notDefined === 1 ? '1 check fails: its claim is undefined.' : '1 check fails.';
  }
  const reason = notDefined === 1 ? 'fails because its claim is' : 'fail because their claims are';
  const undefinedClaims = notDefined === 0 ? '' : `; ${notDefined} ${reason} undefined`;
  return `${passed} of ${counted(total, 'check')} ${passed === 1 ? 'passes' : 'pass'}${undefinedClaims}.`;
}

function Problems({ evaluation, text, onNote }: Omit<VerdictProps, 'who'>) {
  return (
    <div class="verdict" data-outcome="none">
      <Mark outcome="undefined" size={36} isDecorative />
      <div class="verdict-problems">
        <p class="verdict-word">{verdictTitle(evaluation, '')}</p>
        <PlainList class="problems">
          {evaluation.notes.map((note) => (
            <li key={`${note.span.from} ${note.message}`}>
              <button type="button" class="problem" onClick={() => onNote(note)}>
                <span class="problem-line">Line {lineOf(text, note)}</span> <Message text={note.message} />
              </button>
            </li>
          ))}
        </PlainList>
      </div>
    </div>
  );
}
