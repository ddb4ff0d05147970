/** The choice of a sample person or of the user's own credentials, and the credentials (L10). */
import type { Credential } from '../../../engine/index.js';
import { credentialStatusAt, credentialsText, type ParsedCredentials, type Person } from '../model/people.js';
import type { SharedState } from '../model/share-link.js';
import { JsonField } from './json-field.js';
import { ClaimList, counted, displayNameOf, formatDay, Message } from './parts.js';

/** The user's own credentials while a sample person is chosen. */
export interface KeptCredentials {
  /** The copy of a sample person's credentials with which the user's own started. */
  readonly copied?: string;
  /** The text of the user, if it was not only a copy. */
  readonly own?: string;
}

/**
 * Returns what to keep when other credentials replace those of the field.
 *
 * @param text - The text of the field; `undefined` while a sample person is chosen.
 */
export function keepOwn(kept: KeptCredentials, text: string | undefined): KeptCredentials {
  return text === undefined || text === kept.copied ? kept : { own: text };
}

interface SubjectPanelProps {
  readonly people: readonly Person[];
  /** The chosen person; `undefined` for the user's own credentials. */
  readonly person: Person | undefined;
  readonly own: string | undefined;
  readonly kept: { current: KeptCredentials };
  readonly read: ParsedCredentials;
  readonly now: number;
  readonly onSubject: (subject: SharedState['subject']) => void;
}

/** Shows the choice and the credentials. */
export function SubjectPanel({ people, person, own = '', kept, read, now, onSubject }: SubjectPanelProps) {
  const { credentials, notes } = read;
  const choose = (name: string | undefined) => {
    if (name !== undefined) {
      kept.current = keepOwn(kept.current, person === undefined ? own : undefined);
      onSubject({ person: name });
      return;
    }
    // The user's own credentials start as a copy of the current person's.
    const copied = credentialsText(credentials);
    if (kept.current.own === undefined) kept.current = { copied };
    onSubject({ credentials: kept.current.own ?? copied });
  };
  return (
    <div class="subject-panel">
      <People people={people} chosen={person?.name} onChoose={choose} />
      {person === undefined ? (
        <OwnCredentials text={own} notes={notes} onText={(pasted) => onSubject({ credentials: pasted })} />
      ) : (
        <p class="about quiet">{person.description}</p>
      )}
      {notes.length > 0 ? undefined : <Credentials credentials={credentials} now={now} />}
    </div>
  );
}

function OwnCredentials({
  text,
  notes,
  onText,
}: {
  readonly text: string;
  readonly notes: ParsedCredentials['notes'];
  readonly onText: (text: string) => void;
}) {
  return (
    <div class="own">
      <p class="about quiet">
        Paste credentials of your own. They are stored only in this browser; a share link contains them.
      </p>
      <div class="own-field">
        <JsonField label="Credentials, as JSON" text={text} onText={onText} notes={notes} />
      </div>
      {notes.length === 0 ? undefined : (
        <p class="own-problem" role="alert">
          <Message text={notes[0]?.message ?? ''} />
          {notes.length > 1 ? ` And ${counted(notes.length - 1, 'problem')} more.` : ''}
        </p>
      )}
    </div>
  );
}

interface PeopleProps {
  readonly people: readonly Person[];
  /** The name of the chosen person; `undefined` for the user's own credentials. */
  readonly chosen: string | undefined;
  /** @param name - `undefined` for the user's own credentials. */
  readonly onChoose: (name: string | undefined) => void;
}

/** The choice, as radio buttons. */
function People({ people, chosen, onChoose }: PeopleProps) {
  const choices = [...people.map(({ name }) => name), undefined];
  return (
    <fieldset class="people">
      <legend class="card-title">Person</legend>
      <div class="people-choices">
        {choices.map((name) => (
          <label class="person-choice" key={name ?? ''}>
            <input
              type="radio"
              name="person"
              class="visually-hidden"
              checked={chosen === name}
              onChange={() => onChoose(name)}
            />
            <span>{name === undefined ? 'Your own…' : displayNameOf(name)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Lists the credentials and their claims. */
function Credentials({
  credentials,
  now,
}: {
  readonly credentials: readonly Credential[];
  readonly now: number;
}) {
  return (
    <details class="credentials">
      <summary>{counted(credentials.length, 'credential')}: claims, issuer, expiry</summary>
      {credentials.map((credential) => (
        <div class="credential" key={credential.id}>
          <p class="credential-head">
            <strong>
              <bdi>{credential.source}</bdi>
            </strong>
            <StatusTag credential={credential} now={now} />
          </p>
          <ClaimList claims={credential.claims} />
        </div>
      ))}
    </details>
  );
}

function StatusTag({ credential, now }: { readonly credential: Credential; readonly now: number }) {
  const status = credentialStatusAt(credential, now);
  const { expiresAt } = credential;
  const words =
    status === 'active' ? (expiresAt === undefined ? 'active' : `until ${formatDay(expiresAt)}`) : status;
  return (
    <span class="tag" data-level={status === 'active' ? 'good' : 'bad'}>
      {words}
    </span>
  );
}
