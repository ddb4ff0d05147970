/** The playground: a policy, a person, and every check's answer as one types. All of it happens in the browser. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DEFAULT_CLAIMS, queryJsonSchema, type RegexEngine } from '../../engine/index.js';
import type { EditorHelp } from './editor/editor.js';
import { type Asked, createAsk } from './model/ask.js';
import { curlLine, typescriptProgram } from './model/embedding.js';
import { gallery } from './model/gallery.js';
import {
  credentialsText,
  type Person,
  playgroundPeople,
  type ReadCredentials,
  readCredentials,
} from './model/people.js';
import { isFragment, readFragment, type Shared, toFragment } from './model/share-link.js';
import { Explained } from './views/explained.js';
import { Gallery } from './views/gallery.js';
import { type FieldHandle, JsonField } from './views/json-field.js';
import { Credentials, People } from './views/people.js';
import { PolicyTree } from './views/policy-tree.js';
import { Scopes } from './views/scopes.js';
import { ShareButton } from './views/share-button.js';
import { type Tab, Tabs } from './views/tabs.js';
import { Disclosed, Verdict, verdictInWords } from './views/verdict.js';
import { counted, nameOf } from './views/words.js';

/** What the playground is handed. */
export interface PlaygroundProps {
  /** Epoch milliseconds: the instant at which everything is asked. */
  readonly now: number;
  readonly regex: RegexEngine;
  /** The base URL of the service that `curl` asks. */
  readonly baseUrl: string;
}

const FIRST_PERSON = 'ada';
const LISTENING_MS = 700;

/** The whole of it. */
export function Playground({ now, regex, baseUrl }: PlaygroundProps) {
  const { ask, people, policies, help } = useMemo(() => prepare(now, regex), [now, regex]);
  const { played, play, isBroken } = usePlayed(policies[0]?.text ?? '');
  const { query: text, about } = played;
  const person =
    'person' in about ? (people.find(({ name }) => name === about.person) ?? people[0]) : undefined;
  const own = 'credentials' in about ? about.credentials : undefined;
  const read = useMemo(
    () => (own === undefined ? { credentials: person?.credentials ?? [], notes: [] } : readCredentials(own)),
    [own, person],
  );
  const asked = useMemo(() => ask(text, read.credentials, now), [ask, text, read, now]);
  const answered = useLastAnswered(asked);
  const field = useRef<FieldHandle | undefined>(undefined);
  const who = person === undefined ? 'This person' : nameOf(person.name);
  const setText = (query: string) => play((before) => ({ ...before, query }));
  const setAbout = (whom: Shared['about']) => play((before) => ({ ...before, about: whom }));

  return (
    <>
      {isBroken ? <BrokenLink /> : undefined}
      <Gallery policies={policies} text={text} onChoose={(policy) => setText(policy.text)} />
      <div class="workbench">
        <Policy played={played} asked={asked} help={help} handle={field} onText={setText} />
        <section class="card card-flush answer" aria-labelledby="answer-title">
          <h2 class="visually-hidden" id="answer-title">
            Answer
          </h2>
          <AskedAbout people={people} person={person} own={own} read={read} now={now} onAbout={setAbout} />
          <Verdict asked={asked} who={who} text={text} onNote={({ span }) => field.current?.select(span)} />
          <div class="tree-frame" data-stale={asked.kind === 'problems' ? '' : undefined}>
            {answered?.kind === 'predicate' ? <PolicyTree tree={answered.tree} /> : undefined}
            {answered?.kind === 'projection' ? <Disclosed data={answered.result.data} /> : undefined}
          </div>
        </section>
      </div>
      {answered === undefined ? undefined : (
        <Tabs label="Take it along" tabs={tabsOf(answered, person?.name, baseUrl)} />
      )}
      <Listening words={verdictInWords(asked, who)} />
    </>
  );
}

/** What does not change while somebody plays. */
function prepare(now: number, regex: RegexEngine) {
  return {
    ask: createAsk(regex),
    people: playgroundPeople(now),
    policies: gallery(now),
    help: { schema: queryJsonSchema(), claims: DEFAULT_CLAIMS },
  };
}

/** What somebody plays with: it begins with what the address brings, and follows the next link. */
function usePlayed(query: string) {
  const [played, play] = useState<Shared>(
    () => readFragment(location.hash) ?? { query, about: { person: FIRST_PERSON } },
  );
  const [isBroken, tellBroken] = useState(isBrokenLink);
  useEffect(() => {
    const reopen = () => {
      const shared = readFragment(location.hash);
      if (shared !== undefined) play(shared);
      tellBroken(isBrokenLink());
    };
    addEventListener('hashchange', reopen);
    return () => removeEventListener('hashchange', reopen);
  }, []);
  return { played, play, isBroken };
}

function BrokenLink() {
  return (
    <p class="notice" role="alert">
      This link did not come whole, so what was shared is not to be had from it. Ask for it once more.
    </p>
  );
}

interface PolicyProps {
  readonly played: Shared;
  readonly asked: Asked;
  readonly help: EditorHelp;
  readonly handle: { current: FieldHandle | undefined };
  readonly onText: (text: string) => void;
}

function Policy({ played, asked, help, handle, onText }: PolicyProps) {
  return (
    <section class="card card-flush policy" aria-labelledby="policy-title">
      <div class="card-head">
        <h2 class="card-title" id="policy-title">
          Policy
        </h2>
        <ShareButton fragment={() => toFragment(played)} />
      </div>
      <JsonField
        label="Policy, as JSON"
        text={played.query}
        onText={onText}
        notes={asked.notes}
        help={help}
        handle={handle}
      />
      <p class="card-foot quiet small">{footOf(asked)}</p>
    </section>
  );
}

interface AskedAboutProps {
  readonly people: readonly Person[];
  /** One of the people; absent for one's own credentials. */
  readonly person: Person | undefined;
  readonly own: string | undefined;
  readonly read: ReadCredentials;
  readonly now: number;
  readonly onAbout: (about: Shared['about']) => void;
}

function AskedAbout({ people, person, own = '', read, now, onAbout }: AskedAboutProps) {
  const { credentials, notes } = read;
  // Whoever takes credentials of their own begins with those of the person who was there.
  const choose = (name: string | undefined) =>
    onAbout(name === undefined ? { credentials: credentialsText(credentials) } : { person: name });
  return (
    <div class="asked-about">
      <People people={people} chosen={person?.name} onChoose={choose} />
      {person === undefined ? (
        <OwnCredentials text={own} notes={notes} onText={(pasted) => onAbout({ credentials: pasted })} />
      ) : (
        <p class="about quiet">{person.about}</p>
      )}
      {notes.length > 0 ? undefined : <Credentials credentials={credentials} now={now} />}
    </div>
  );
}

function isBrokenLink(): boolean {
  return isFragment(location.hash) && readFragment(location.hash) === undefined;
}

type Answered = Exclude<Asked, { readonly kind: 'problems' }>;

/** The last answer that there was: while somebody is in the middle of a word, it stays where it is. */
function useLastAnswered(asked: Asked): Answered | undefined {
  const last = useRef<Answered | undefined>(undefined);
  if (asked.kind !== 'problems') last.current = asked;
  return last.current;
}

function OwnCredentials({
  text,
  notes,
  onText,
}: {
  readonly text: string;
  readonly notes: ReadCredentials['notes'];
  readonly onText: (text: string) => void;
}) {
  return (
    <div class="own">
      <p class="about quiet">Paste credentials of your own. They stay in this page.</p>
      <div class="own-field">
        <JsonField label="Credentials, as JSON" text={text} onText={onText} notes={notes} />
      </div>
      {notes.length === 0 ? undefined : (
        <p class="own-problem" role="alert">
          <bdi>{notes[0]?.message}</bdi>
          {notes.length > 1 ? ` And ${counted(notes.length - 1, 'problem')} more.` : ''}
        </p>
      )}
    </div>
  );
}

/** Tells who listens how it came out, once the typing rests. */
function Listening({ words }: { readonly words: string }) {
  const [told, tell] = useState('');
  useEffect(() => {
    const resting = setTimeout(() => tell(words), LISTENING_MS);
    return () => clearTimeout(resting);
  }, [words]);
  return (
    <p class="visually-hidden" role="status">
      {told}
    </p>
  );
}

function footOf(asked: Asked): string {
  const errors = asked.notes.filter(({ severity }) => severity === 'error').length;
  if (errors > 0) return `${counted(errors, 'problem')}: marked where they are.`;
  const [warning] = asked.notes;
  return warning?.message ?? 'Ctrl-Space suggests claims, operators and values.';
}

function tabsOf(answered: Answered, person: string | undefined, baseUrl: string): readonly Tab[] {
  const { result, query, scopes } = answered;
  const elsewhere = { query, scopes, baseUrl, ...(person === undefined ? {} : { person }) };
  const textTab = (id: string, title: string, text: () => string): Tab => ({
    id,
    title,
    content: () => <Code text={text()} />,
    copied: text,
  });
  return [
    textTab('answer', 'Answer', () => JSON.stringify(result, undefined, 2)),
    textTab('curl', 'curl', () => curlLine(elsewhere)),
    textTab('typescript', 'TypeScript', () => typescriptProgram(elsewhere)),
    ...(answered.kind === 'predicate'
      ? [
          {
            id: 'explain',
            title: 'Explain',
            content: () => <Explained explained={answered.explain()} />,
          },
        ]
      : []),
    {
      id: 'scopes',
      title: 'Scopes',
      content: () => <Scopes needed={scopes} claims={claimsOf(result)} />,
    },
  ];
}

function claimsOf(result: Answered['result']): readonly string[] {
  if (result.type === 'projection') return Object.keys(result.data);
  return [...new Set(result.evidence.checkResults.map(({ claim }) => claim))];
}

function Code({ text }: { readonly text: string }) {
  return (
    <pre class="code" dir="ltr">
      <code>{text}</code>
    </pre>
  );
}
