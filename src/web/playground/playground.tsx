/** The playground: edits a policy, evaluates it in the browser, and shows the outcome of each check. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DEFAULT_CLAIMS, queryJsonSchema, type RegexEngine } from '../../engine/index.js';
import type { EditorHelp } from './editor/completions.js';
import { type Answered, type Asked, createAsk } from './model/ask.js';
import { gallery, type WorkedPolicy } from './model/gallery.js';
import { playgroundPeople, readCredentials } from './model/people.js';
import {
  isFragment,
  MAX_FRAGMENT_CODE_UNITS,
  readFragment,
  type Shared,
  toFragment,
} from './model/share-link.js';
import { type FieldHandle, JsonField } from './views/json-field.js';
import { counted, Message, nameOf } from './views/parts.js';
import { AskedAbout } from './views/people.js';
import { PolicyTree } from './views/policy-tree.js';
import { TakenAlong } from './views/taken-along.js';
import { Disclosed, Verdict, verdictInWords } from './views/verdict.js';

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
  // What a key stroke does not change is not drawn anew.
  const chosen = policies.find((policy) => policy.text === text)?.id;
  const worked = useMemo(
    () => <Gallery policies={policies} chosen={chosen} onChoose={(policy) => setText(policy.text)} />,
    [policies, chosen],
  );
  const askedAbout = useMemo(
    () => <AskedAbout people={people} person={person} own={own} read={read} now={now} onAbout={setAbout} />,
    [people, person, own, read, now],
  );

  return (
    <>
      {isBroken ? <BrokenLink /> : undefined}
      {worked}
      <div class="workbench">
        <Policy played={played} asked={asked} help={help} handle={field} onText={setText} />
        <section class="card card-flush answer" aria-labelledby="answer-title">
          <h2 class="visually-hidden" id="answer-title">
            Answer
          </h2>
          {askedAbout}
          <Verdict asked={asked} who={who} text={text} onNote={({ span }) => field.current?.select(span)} />
          <div class="tree-frame" data-stale={asked.kind === 'problems' ? '' : undefined}>
            {answered?.kind === 'predicate' ? <PolicyTree tree={answered.tree} /> : undefined}
            {answered?.kind === 'projection' ? <Disclosed data={answered.result.data} /> : undefined}
          </div>
        </section>
      </div>
      {answered === undefined ? undefined : (
        <TakenAlong answered={answered} person={person?.name} baseUrl={baseUrl} />
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
      <p class="card-foot quiet small">
        <Message text={footOf(asked)} />
      </p>
    </section>
  );
}

function isBrokenLink(): boolean {
  return isFragment(location.hash) && readFragment(location.hash) === undefined;
}

/** The last answer that there was: while somebody is in the middle of a word, it stays where it is. */
function useLastAnswered(asked: Asked): Answered | undefined {
  const last = useRef<Answered | undefined>(undefined);
  if (asked.kind !== 'problems') last.current = asked;
  return last.current;
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
  if (errors > 0) return `${counted(errors, 'problem')}, marked in the text; the last answer stays.`;
  const [warning] = asked.notes;
  return warning?.message ?? 'Ctrl-Space suggests claims, operators and values.';
}

interface GalleryProps {
  readonly policies: readonly WorkedPolicy[];
  /** The id of the one that stands in the editor; `undefined` where none does. */
  readonly chosen: string | undefined;
  readonly onChoose: (policy: WorkedPolicy) => void;
}

/** A row of them; on a phone it is pushed sideways. */
function Gallery({ policies, chosen, onChoose }: GalleryProps) {
  return (
    <section class="gallery" aria-label="Worked policies">
      {policies.map((policy) => (
        <button
          key={policy.id}
          type="button"
          class="worked"
          aria-pressed={policy.id === chosen}
          onClick={() => onChoose(policy)}
        >
          <strong>{policy.title}</strong>
          <span class="quiet small">{policy.about}</span>
        </button>
      ))}
    </section>
  );
}

/** @param fragment - Made when the button is pressed. */
function ShareButton({ fragment }: { readonly fragment: () => string }) {
  const [said, say] = useState('');
  const share = async () => {
    const made = fragment();
    if (made.length > MAX_FRAGMENT_CODE_UNITS) {
      say('Too long for a link');
      return;
    }
    // Not by `location.hash`: going back should not go through every link that was made.
    history.replaceState(undefined, '', made);
    try {
      await navigator.clipboard.writeText(location.href);
      say('Link copied');
    } catch {
      say('The link is in the address bar');
    }
  };
  return (
    <span class="share">
      <span class="quiet small" role="status">
        {said}
      </span>
      <button type="button" class="button button-small" onClick={share}>
        Share
      </button>
    </span>
  );
}
