/** Whom one asks about: one of the made-up people with what is attested of them, or credentials of one's own (L10). */
import type { Credential } from '../../../engine/index.js';
import { type Person, standingOf } from '../model/people.js';
import { counted, dayOf, nameOf, shown } from './words.js';

interface PeopleProps {
  readonly people: readonly Person[];
  /** The name of the one asked about; `undefined` for one's own credentials. */
  readonly chosen: string | undefined;
  /** @param name - `undefined` for one's own. */
  readonly onChoose: (name: string | undefined) => void;
}

/** The choice, as radio buttons. */
export function People({ people, chosen, onChoose }: PeopleProps) {
  const choices = [...people.map(({ name }) => name), undefined];
  return (
    <fieldset class="people">
      <legend class="card-title">Ask about</legend>
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
            <span>{name === undefined ? 'Your own…' : nameOf(name)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** What is attested of somebody, credential by credential. */
export function Credentials({
  credentials,
  now,
}: {
  readonly credentials: readonly Credential[];
  readonly now: number;
}) {
  return (
    <details class="credentials">
      <summary>{counted(credentials.length, 'credential')}: what is attested, by whom, until when</summary>
      {credentials.map((credential) => (
        <div class="credential" key={credential.id}>
          <p class="credential-head">
            <strong>
              <bdi>{credential.source}</bdi>
            </strong>
            <StandingTag credential={credential} now={now} />
          </p>
          <dl class="claims">
            {Object.entries(credential.claims).map(([path, value]) => (
              <div key={path}>
                <dt>
                  <code>
                    <bdi>{path}</bdi>
                  </code>
                </dt>
                <dd>
                  <code>
                    <bdi>{shown(value)}</bdi>
                  </code>
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </details>
  );
}

function StandingTag({ credential, now }: { readonly credential: Credential; readonly now: number }) {
  const standing = standingOf(credential, now);
  const { expiresAt } = credential;
  const words =
    standing === 'active' ? (expiresAt === undefined ? 'active' : `until ${dayOf(expiresAt)}`) : standing;
  return (
    <span class="tag" data-level={standing === 'active' ? 'good' : 'bad'}>
      {words}
    </span>
  );
}
