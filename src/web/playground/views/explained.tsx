/** What would make a policy come out otherwise, for this person (L10, L21). */
import type { ClaimChange, Explanation } from '../../../analysis/index.js';
import { formatInstant } from '../../../engine/index.js';
import { momentOf, shown } from './parts.js';

const MAX_CHANGES = 6;

/** The claims that are enough, or the smallest changes that would do. */
export function Explained({ explained }: { readonly explained: Explanation }) {
  return (
    <div class="stack">
      {explained.passes ? (
        <SufficientClaims claims={explained.sufficient} />
      ) : (
        <Changes explained={explained} changes={explained.changes} />
      )}
      {explained.changesAt === undefined ? undefined : (
        <p>
          With these credentials it comes out otherwise from{' '}
          <strong>{momentOf(formatInstant(explained.changesAt))}</strong> on.
        </p>
      )}
      {explained.incomplete === undefined ? undefined : (
        <p class="quiet small">There may be less to change: {explained.incomplete}.</p>
      )}
    </div>
  );
}

function SufficientClaims({ claims }: { readonly claims: readonly string[] }) {
  if (claims.length === 0) return <p>It passes, whatever the claims are.</p>;
  return (
    <>
      <p class="quiet">It passes for these claims alone, whatever all others were:</p>
      <ul class="ways">
        {claims.map((claim) => (
          <li key={claim}>
            <code>
              <bdi>{claim}</bdi>
            </code>
          </li>
        ))}
      </ul>
    </>
  );
}

function Changes({
  explained,
  changes,
}: {
  readonly explained: Explanation;
  readonly changes: readonly (readonly ClaimChange[])[];
}) {
  if (changes.length === 0) return <p>It does not pass, and no claims were found with which it would.</p>;
  return (
    <>
      <p class="quiet">
        {changes.length === 1
          ? 'It would pass with'
          : 'It would pass with any one of these, the smallest changes that do:'}
      </p>
      <ul class="ways">
        {changes.slice(0, MAX_CHANGES).map((set) => (
          <li key={set.map(({ claim }) => claim).join(' ')}>
            {set.map((change, index) => (
              <span key={change.claim}>
                {index === 0 ? '' : ' and '}
                <code>
                  <bdi dir="ltr">
                    {change.claim} <bdi class="way-to">{formatTarget(change, explained)}</bdi>
                  </bdi>
                </code>
                <span class="quiet">
                  {' '}
                  ({change.from === undefined ? 'not defined' : `is ${shown(change.from)}`})
                </span>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Where it is only asked whether a claim is there, any value would do as well as the one that was found. */
function formatTarget({ to, checks }: ClaimChange, { query }: Explanation): string {
  if (to === undefined) return 'not defined';
  const isAny = checks.every((pointer) => operatorAt(query, pointer) === 'isDefined');
  return isAny ? 'defined' : shown(to);
}

function operatorAt(query: unknown, pointer: string): unknown {
  const item = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name],
      query,
    );
  return (item as { readonly check?: { readonly operator?: unknown } } | undefined)?.check?.operator;
}
