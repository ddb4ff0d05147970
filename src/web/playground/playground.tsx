/** The playground: edits a policy, evaluates it in the browser, and shows the outcome of each check. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RegexEngine } from '../../engine/index.js';
import { queryJsonSchema } from '../../engine/query/json-schema.js';
import type { ServiceCatalogue } from '../../service/catalogue/service-catalogue.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { EditorHelp } from './editor/completions.js';
import { DEFAULT, readCatalogue } from './model/catalogue.js';
import { type CompletedEvaluation, createEvaluateText, type Evaluation } from './model/evaluate.js';
import type { UserFile } from './model/files.js';
import { type ExamplePolicy, gallery } from './model/gallery.js';
import { credentialsText, playgroundPeople, readCredentials } from './model/people.js';
import type { SharedState } from './model/share-link.js';
import { usePlaygroundState } from './model/use-state.js';
import { ExportTabs } from './views/export-tabs.js';
import { type FieldHandle, JsonField } from './views/json-field.js';
import { counted, displayNameOf, Message } from './views/parts.js';
import { type KeptCredentials, keepOwn, SubjectPanel } from './views/people.js';
import { PolicyTools } from './views/policy-tools.js';
import { PolicyTree } from './views/policy-tree.js';
import { ANSWER_ID, POLICY_ID, ResultBar } from './views/result-bar.js';
import { type StateChanges, Tools } from './views/tools.js';
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
/** Delay between the last change and the announcement to screen readers. */
const ANNOUNCE_DELAY_MS = 700;

/** The playground. */
export function Playground({ now, regex, baseUrl }: PlaygroundProps) {
  const first = useMemo(
    (): SharedState => ({ query: gallery(now)[0]?.text ?? '', subject: { person: FIRST_PERSON } }),
    [now],
  );
  const [file, setFile] = useState<UserFile | undefined>(undefined);
  const kept = useRef<KeptCredentials>({});
  const { state, setState, isBroken, isRestored, isUnkept, setLink, dismiss, startAgain } =
    usePlaygroundState(first, () => {
      setFile(undefined);
      kept.current = {};
    });
  const { query: text, subject } = state;
  const { catalogue, notes: catalogueNotes } = useCatalogue(state.catalogue, regex);
  const { evaluateText, evaluateOther, people, policies, help } = useMemo(
    () => prepare(now, regex, catalogue),
    [now, regex, catalogue],
  );
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
  const who = person === undefined ? 'This person' : displayNameOf(person.name);
  const change = (changes: StateChanges) => setState((before) => withChanges(before, changes));
  const setText = (query: string) => change({ query });
  const setSubject = (next: SharedState['subject']) => change({ subject: next });
  /** Replaces the policy by one that does not belong to the opened file. */
  const replacePolicy = (changes: StateChanges) => {
    setFile(undefined);
    change(changes);
  };
  // Memoized, so that typing does not render these again.
  const chosen = policies.find((policy) => policy.text === text)?.id;
  const examples = useMemo(
    () => (
      <Gallery
        policies={policies}
        chosen={chosen}
        onChoose={(policy) => replacePolicy({ query: policy.text })}
      />
    ),
    [policies, chosen],
  );
  const subjectPanel = useMemo(
    () => (
      <SubjectPanel
        people={people}
        person={person}
        own={own}
        kept={kept}
        read={read}
        now={now}
        onSubject={setSubject}
      />
    ),
    [people, person, own, read, now],
  );

  return (
    <>
      {isBroken ? <BrokenLink /> : undefined}
      {isUnkept ? <UnkeptWork /> : undefined}
      {isRestored ? <RestoredWork onKeep={dismiss} onStartAgain={startAgain} /> : undefined}
      {examples}
      <div class="workbench">
        <Policy
          state={state}
          evaluation={evaluation}
          hasResult={completed !== undefined}
          isCatalogueValid={catalogueNotes.length === 0}
          help={help}
          handle={field}
          file={file}
          onText={setText}
          onFile={setFile}
          onLink={setLink}
        />
        <section class="card card-flush answer" aria-labelledby="answer-title" id={ANSWER_ID} tabIndex={-1}>
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
      <Tools
        state={state}
        evaluation={completed}
        people={people}
        catalogue={catalogue}
        catalogueNotes={catalogueNotes}
        evaluateOther={evaluateOther}
        regex={regex}
        help={help}
        onChange={(changes) => (changes.query === undefined ? change(changes) : replacePolicy(changes))}
        onWitness={(witness) => {
          const copied = credentialsText([witness]);
          kept.current = { ...keepOwn(kept.current, own), copied };
          setSubject({ credentials: copied });
          document.getElementById(ANSWER_ID)?.scrollIntoView();
        }}
      />
      {completed === undefined ? undefined : (
        <ExportTabs evaluation={completed} person={person?.name} baseUrl={baseUrl} catalogue={catalogue} />
      )}
      <LiveStatus words={describeVerdict(evaluation, who)} />
      <ResultBar evaluation={evaluation} who={who} />
    </>
  );
}

/** Creates the values that depend only on the instant, the regular-expression engine and the catalogue. */
function prepare(now: number, regex: RegexEngine, catalogue: ServiceCatalogue) {
  const evaluateWithoutClaims = createEvaluateText(regex, catalogue);
  return {
    evaluateText: createEvaluateText(regex, catalogue),
    evaluateOther: (text: string) => evaluateWithoutClaims(text, [], now),
    people: playgroundPeople(now, catalogue),
    policies: gallery(now, catalogue),
    help: { schema: SCHEMA, claims: catalogue.definition.claims },
  };
}

const SCHEMA = queryJsonSchema();

/** Returns the catalogue of a text, and its problems; while it has problems, the last valid catalogue. */
function useCatalogue(text: string | undefined, regex: RegexEngine) {
  const read = useMemo(
    () => (text === undefined ? { catalogue: DEFAULT, notes: [] } : readCatalogue(text, regex)),
    [text, regex],
  );
  const last = useRef(DEFAULT);
  if (read.catalogue !== undefined) last.current = read.catalogue;
  return { catalogue: last.current, notes: read.notes };
}

function withChanges(before: SharedState, changes: StateChanges): SharedState {
  const { query = before.query, subject = before.subject, ...rest } = { ...before, ...changes };
  return { query, subject, ...omitUndefined(rest) };
}

function BrokenLink() {
  return (
    <p class="notice" role="alert">
      This link is incomplete, so it cannot be opened. Ask for the link again.
    </p>
  );
}

function UnkeptWork() {
  return (
    <p class="notice" role="alert">
      Your work cannot be kept in this browser: its storage is full or disabled. Save or share the policy
      before you leave.
    </p>
  );
}

interface RestoredWorkProps {
  readonly onKeep: () => void;
  readonly onStartAgain: () => void;
}

function RestoredWork({ onKeep, onStartAgain }: RestoredWorkProps) {
  return (
    <div class="notice">
      <p>This is your work from the last visit, kept in this browser.</p>
      <span class="row">
        <button type="button" class="button button-small" onClick={onKeep}>
          Continue
        </button>
        <button type="button" class="button button-small" onClick={onStartAgain}>
          Start again
        </button>
      </span>
    </div>
  );
}

interface PolicyProps {
  readonly state: SharedState;
  readonly evaluation: Evaluation;
  /** Whether a completed evaluation is shown. */
  readonly hasResult: boolean;
  readonly isCatalogueValid: boolean;
  readonly help: EditorHelp;
  readonly handle: { current: FieldHandle | undefined };
  /** The opened or saved file, if any. */
  readonly file: UserFile | undefined;
  readonly onText: (text: string) => void;
  readonly onFile: (file: UserFile) => void;
  readonly onLink: (fragment: string) => void;
}

function Policy(props: PolicyProps) {
  const { state, evaluation, hasResult, isCatalogueValid, help, handle, file, onText, onFile, onLink } =
    props;
  return (
    <section class="card card-flush policy" aria-labelledby="policy-title" id={POLICY_ID} tabIndex={-1}>
      <div class="card-head">
        <h2 class="card-title" id="policy-title">
          Policy
          {file === undefined ? undefined : (
            <span class="quiet small">
              {' '}
              <bdi>{file.name}</bdi>
            </span>
          )}
        </h2>
        <PolicyTools state={state} file={file} onText={onText} onFile={onFile} onLink={onLink} />
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
        <Message text={footerText(evaluation, hasResult, isCatalogueValid)} />
      </p>
    </section>
  );
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
    const timer = setTimeout(() => announce(words), ANNOUNCE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <p class="visually-hidden" role="status">
      {announced}
    </p>
  );
}

/** Browsers do not report keyboards: a fine pointer suggests that there is one. */
const HINT = matchMedia('(any-pointer: fine)').matches
  ? 'Ctrl-Space suggests claims, operators and values.'
  : 'Claims, operators and values are suggested as you type.';

function footerText(evaluation: Evaluation, hasResult: boolean, isCatalogueValid: boolean): string {
  const errors = evaluation.notes.filter(({ severity }) => severity === 'error').length;
  const catalogue = isCatalogueValid
    ? ''
    : 'The catalogue has problems, listed in the tab `Catalogue`: the last valid one is used.';
  if (errors > 0) {
    const shown = hasResult ? ' The last result is still shown.' : '';
    return `${counted(errors, 'problem')}, marked in the text.${shown} ${catalogue}`.trim();
  }
  if (catalogue !== '') return catalogue;
  const [warning] = evaluation.notes;
  return warning?.message ?? HINT;
}

interface GalleryProps {
  readonly policies: readonly ExamplePolicy[];
  /** The id of the example in the editor; `undefined` if the text is not an example. */
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
