/** What came of asking, in a sentence: it passes, it does not, it tells something, or it is no query yet. */
import type { Asked, Note } from '../model/ask.js';
import { countOutcomes } from '../model/policy-tree.js';
import { counted, lineOf, Mark, Message, momentOf, shown } from './parts.js';

interface VerdictProps {
  readonly asked: Asked;
  /** As the person is called here. */
  readonly who: string;
  readonly text: string;
  /** Moves the editor's caret to a note's place. */
  readonly onNote: (note: Note) => void;
}

/** The verdict, or what is in its way. */
export function Verdict({ asked, who, text, onNote }: VerdictProps) {
  if (asked.kind === 'problems') return <Problems notes={asked.notes} text={text} onNote={onNote} />;
  if (asked.kind === 'projection') {
    return (
      <div class="verdict" data-outcome="told">
        <Mark outcome="passed" size={36} />
        <div>
          <p class="verdict-word">Discloses {counted(Object.keys(asked.result.data).length, 'claim')}</p>
          <p class="small">
            Nothing else of <bdi>{who}</bdi> is told. Holds until {momentOf(asked.result.expiresAt)}.
          </p>
        </div>
      </div>
    );
  }
  const { passed, expiresAt } = asked.result;
  return (
    <div class="verdict" data-outcome={passed ? 'passed' : 'failed'}>
      <Mark outcome={passed ? 'passed' : 'failed'} size={36} />
      <div>
        <p class="verdict-word">
          <bdi>{who}</bdi> {passed ? 'passes' : 'does not pass'}
        </p>
        <p class="small">
          {sumUp(asked)} Holds until {momentOf(expiresAt)}.
        </p>
      </div>
    </div>
  );
}

/** The verdict for who listens, told when it changes. */
export function verdictInWords(asked: Asked, who: string): string {
  switch (asked.kind) {
    case 'problems':
      return `No query yet: ${asked.notes[0]?.message ?? ''}`;
    case 'projection':
      return `Discloses ${counted(Object.keys(asked.result.data).length, 'claim')} of ${who}.`;
    case 'predicate':
      return `${who} ${asked.result.passed ? 'passes' : 'does not pass'}. ${sumUp(asked)}`;
  }
}

/** What projections disclose, claim by claim (L23). */
export function Disclosed({
  data,
}: {
  readonly data: Extract<Asked, { kind: 'projection' }>['result']['data'];
}) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without bullets is no list to Safari
    <ul class="tree" role="list" aria-label="What is disclosed, claim by claim">
      {Object.entries(data).map(([path, value]) => (
        <li class="check" key={path} data-outcome={value === null ? 'undefined' : 'passed'}>
          <Mark outcome={value === null ? 'undefined' : 'passed'} />
          <span class="check-asked">
            <code class="check-claim">
              <bdi>{path}</bdi>
            </code>
          </span>
          <span class="check-found">
            <code class="check-actual">
              <bdi>{shown(value)}</bdi>
            </code>
          </span>
        </li>
      ))}
    </ul>
  );
}

function sumUp({ tree }: Extract<Asked, { kind: 'predicate' }>): string {
  const { passed, failed, undefined: notDefined } = countOutcomes(tree);
  const parts = [
    `${passed} of ${counted(passed + failed + notDefined, 'check')} pass`,
    ...(notDefined === 0 ? [] : [`${notDefined} ask about what is not defined`]),
  ];
  return `${parts.join(', ')}.`;
}

function Problems({
  notes,
  text,
  onNote,
}: Pick<VerdictProps, 'text' | 'onNote'> & { readonly notes: readonly Note[] }) {
  return (
    <div class="verdict" data-outcome="none">
      <Mark outcome="undefined" size={36} />
      <div class="verdict-problems">
        <p class="verdict-word">No query yet</p>
        {/* biome-ignore lint/a11y/noRedundantRoles: a list without bullets is no list to Safari */}
        <ul class="problems" role="list">
          {notes.map((note) => (
            <li key={`${note.span.from} ${note.message}`}>
              <button type="button" class="problem" onClick={() => onNote(note)}>
                <span class="problem-line">Line {lineOf(text, note)}</span> <Message text={note.message} />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
