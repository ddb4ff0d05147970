/** The playground: edits a policy, evaluates it in the browser, and shows the outcome of each check. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DEFAULT_CLAIMS, type RegexEngine } from '../../engine/index.js';
import { queryJsonSchema } from '../../engine/query/json-schema.js';
import type { EditorHelp } from './editor/completions.js';
import { type CompletedEvaluation, createEvaluateText, type Evaluation } from './model/evaluate.js';
import { type ExamplePolicy, gallery } from './model/gallery.js';
import { playgroundPeople, readCredentials } from './model/people.js';
import {
  isShareLink,
  MAX_FRAGMENT_CODE_UNITS,
  readFragment,
  type SharedState,
  toFragment,
} from './model/share-link.js';
import { ExportTabs } from './views/export-tabs.js';
import { type FieldHandle, JsonField } from './views/json-field.js';
import { counted, Message, nameOf } from './views/parts.js';
import { SubjectPanel } from './views/people.js';
import { PolicyTree } from './views/policy-tree.js';
import { Disclosed, describeVerdict, Verdict } from './views/verdict.js';

/** Props of the playground. */
export interface PlaygroundProps {
  /** Instant of evaluation, in epoch milliseconds. */
  readonly now: number;
  readonly regex: RegexEngine;
  /** Base URL of the service in the `curl` example. */
  readonly baseUrl: string;
}

const FIRST_PERSON = 'ada';
const LISTENING_MS = 700;

/** The playground. */
export function Playground({ now, regex, baseUrl }: PlaygroundProps) {
  const { evaluateText, people, policies, help } = useMemo(() => prepare(now, regex), [now, regex]);
  const { state, setState, isBroken } = usePlaygroundState(policies[0]?.text ?? '');
  const { query: text, subject } = state;
  const person =
    'person' in subject ? (people.find(({ name }) => name === subject.person) ?? people[0]) : undefined;
  const own = 'credentials' in subject ? subject.credentials : undefined;
  const read = useMemo(
    () => (own === undefined ? { credentials: person?.credentials ?? [], notes: [] } : readCredentials(own)),
    [own, person],
  );
  const evaluation = useMemo(
    () => evaluateText(text, read.credentials, now),
    [evaluateText, text, read, now],
  );
  const completed = useLastCompleted(evaluation);
  const field = useRef<FieldHandle | undefined>(undefined);
  const who = person === undefined ? 'This person' : nameOf(person.name);
  const setText = (query: string) => setState((before) => ({ ...before, query }));
  const setSubject = (next: SharedState['subject']) => setState((before) => ({ ...before, subject: next }));
  // Memoized, so that typing does not render these again.
  const chosen = policies.find((policy) => policy.text === text)?.id;
  const examples = useMemo(
    () => <Gallery policies={policies} chosen={chosen} onChoose={(policy) => setText(policy.text)} />,
    [policies, chosen],
  );
  const subjectPanel = useMemo(
    () => (
      <SubjectPanel people={people} person={person} own={own} read={read} now={now} onSubject={setSubject} />
    ),
    [people, person, own, read, now],
  );

  return (
    <>
      {isBroken ? <BrokenLink /> : undefined}
      {examples}
      <div class="workbench">
        <Policy state={state} evaluation={evaluation} help={help} handle={field} onText={setText} />
        <section class="card card-flush answer" aria-labelledby="answer-title">
          <h2 class="visually-hidden" id="answer-title">
            Answer
          </h2>
          {subjectPanel}
          <Verdict
            evaluation={evaluation}
            who={who}
            text={text}
            onNote={({ span }) => field.current?.select(span)}
          />
          <div class="tree-frame" data-stale={evaluation.kind === 'problems' ? '' : undefined}>
            {completed?.kind === 'predicate' ? <PolicyTree tree={completed.tree} /> : undefined}
            {completed?.kind === 'projection' ? <Disclosed data={completed.result.data} /> : undefined}
          </div>
        </section>
      </div>
      {completed === undefined ? undefined : (
        <ExportTabs evaluation={completed} person={person?.name} baseUrl={baseUrl} />
      )}
      <LiveStatus words={describeVerdict(evaluation, who)} />
    </>
  );
}

/** Creates what does not depend on the state. */
function prepare(now: number, regex: RegexEngine) {
  return {
    evaluateText: createEvaluateText(regex),
    people: playgroundPeople(now),
    policies: gallery(now),
    help: { schema: queryJsonSchema(), claims: DEFAULT_CLAIMS },
  };
}

/** The state, initialized from the URL fragment and updated when it changes. */
function usePlaygroundState(query: string) {
  const [state, setState] = useState<SharedState>(
    () => readFragment(location.hash) ?? { query, subject: { person: FIRST_PERSON } },
  );
  const [isBroken, setBroken] = useState(isBrokenLink);
  useEffect(() => {
    const reopen = () => {
      const shared = readFragment(location.hash);
      if (shared !== undefined) setState(shared);
      setBroken(isBrokenLink());
    };
    addEventListener('hashchange', reopen);
    return () => removeEventListener('hashchange', reopen);
  }, []);
  return { state, setState, isBroken };
}

function BrokenLink() {
  return (
    <p class="notice" role="alert">
      This link is incomplete, so it cannot be opened. Ask for the link again.
    </p>
  );
}

interface PolicyProps {
  readonly state: SharedState;
  readonly evaluation: Evaluation;
  readonly help: EditorHelp;
  readonly handle: { current: FieldHandle | undefined };
  readonly onText: (text: string) => void;
}

function Policy({ state, evaluation, help, handle, onText }: PolicyProps) {
  return (
    <section class="card card-flush policy" aria-labelledby="policy-title">
      <div class="card-head">
        <h2 class="card-title" id="policy-title">
          Policy
        </h2>
        <ShareButton fragment={() => toFragment(state)} />
      </div>
      <JsonField
        label="Policy, as JSON"
        text={state.query}
        onText={onText}
        notes={evaluation.notes}
        help={help}
        handle={handle}
      />
      <p class="card-foot quiet small">
        <Message text={footerText(evaluation)} />
      </p>
    </section>
  );
}

function isBrokenLink(): boolean {
  return isShareLink(location.hash) && readFragment(location.hash) === undefined;
}

/** Returns the last completed evaluation, which stays visible while the text is invalid. */
function useLastCompleted(evaluation: Evaluation): CompletedEvaluation | undefined {
  const last = useRef<CompletedEvaluation | undefined>(undefined);
  if (evaluation.kind !== 'problems') last.current = evaluation;
  return last.current;
}

/** Announces the result to screen readers, once typing pauses. */
function LiveStatus({ words }: { readonly words: string }) {
  const [announced, announce] = useState('');
  useEffect(() => {
    const resting = setTimeout(() => announce(words), LISTENING_MS);
    return () => clearTimeout(resting);
  }, [words]);
  return (
    <p class="visually-hidden" role="status">
      {announced}
    </p>
  );
}

function footerText(evaluation: Evaluation): string {
  const errors = evaluation.notes.filter(({ severity }) => severity === 'error').length;
  if (errors > 0) return `${counted(errors, 'problem')}, marked in the text. The last result is still shown.`;
  const [warning] = evaluation.notes;
  return warning?.message ?? 'Ctrl-Space suggests claims, operators and values.';
}

interface GalleryProps {
  readonly policies: readonly ExamplePolicy[];
  /** The id of the example in the editor; `undefined` if the text is no example. */
  readonly chosen: string | undefined;
  readonly onChoose: (policy: ExamplePolicy) => void;
}

/** The row of examples, which scrolls horizontally on a phone. */
function Gallery({ policies, chosen, onChoose }: GalleryProps) {
  return (
    <section class="gallery" aria-label="Example policies">
      {policies.map((policy) => (
        <button
          key={policy.id}
          type="button"
          class="worked"
          aria-pressed={policy.id === chosen}
          onClick={() => onChoose(policy)}
        >
          <strong>{policy.title}</strong>
          <span class="quiet small">{policy.description}</span>
        </button>
      ))}
    </section>
  );
}

/** @param fragment - Called when the button is pressed. */
function ShareButton({ fragment }: { readonly fragment: () => string }) {
  const [message, setMessage] = useState('');
  const share = async () => {
    const made = fragment();
    if (made.length > MAX_FRAGMENT_CODE_UNITS) {
      setMessage('Too long for a link');
      return;
    }
    // Unlike `location.hash`, does not add a history entry.
    history.replaceState(undefined, '', made);
    try {
      await navigator.clipboard.writeText(location.href);
      setMessage('Link copied');
    } catch {
      setMessage('The link is in the address bar');
    }
  };
  return (
    <span class="share">
      <span class="quiet small" role="status">
        {message}
      </span>
      <button type="button" class="button button-small" onClick={share}>
        Share
      </button>
    </span>
  );
}
