/** Shows why a policy passes, or what would make it pass (L10, L21). */
import type { ClaimChange, Explanation } from '../../../analysis/index.js';
import { formatInstant } from '../../../engine/index.js';
import { formatDateTime, formatValue } from './parts.js';

const MAX_CHANGES = 6;

/** Shows the sufficient claims, or the smallest changes. */
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
          With these credentials, the result changes at{' '}
          <strong>{formatDateTime(formatInstant(explained.changesAt))}</strong>.
        </p>
      )}
      {explained.incomplete === undefined ? undefined : (
        <p class="quiet small">There may be other sets of claims: {explained.incomplete}.</p>
      )}
    </div>
  );
}

function SufficientClaims({ claims }: { readonly claims: readonly string[] }) {
  if (claims.length === 0) return <p>It passes for any claims.</p>;
  return (
    <>
      <p class="quiet">It passes because of these claims alone, regardless of all others:</p>
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
  if (changes.length === 0) return <p>It does not pass, and no claims were found that would make it pass.</p>;
  return (
    <>
      <p class="quiet">
        {changes.length === 1 ? 'It would pass with' : 'It would pass with any of these smallest changes:'}
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
                  ({change.from === undefined ? 'not defined' : `is ${formatValue(change.from)}`})
                </span>
              </span>
            ))}
          </li>
        ))}
      </ul>
      {changes.length > MAX_CHANGES ? (
        <p class="quiet small">And {changes.length - MAX_CHANGES} more.</p>
      ) : undefined}
    </>
  );
}

/** Formats the required value. If only `isDefined` is checked, any value is sufficient. */
function formatTarget({ to, checks }: ClaimChange, { query }: Explanation): string {
  if (to === undefined) return 'not defined';
  const isAny = checks.every((pointer) => operatorAt(query, pointer) === 'isDefined');
  return isAny ? 'defined' : formatValue(to);
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
