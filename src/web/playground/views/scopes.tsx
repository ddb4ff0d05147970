/** Shows the scopes that a query requires, as described to people (L20). */
import type { ServiceCatalogue } from '../../../service/catalogue/service-catalogue.js';
import type { RequiredScopes } from '../model/evaluate.js';
import { counted, PlainList } from './parts.js';

const SENSITIVITY_WORDS = {
  low: 'Everyday',
  medium: 'Personal',
  high: 'Sensitive',
  critical: 'Very sensitive',
} as const;

interface ScopesProps {
  readonly required: RequiredScopes;
  /** The claims of the query. */
  readonly claims: readonly string[];
  readonly catalogue: ServiceCatalogue;
}

const MAX_ALTERNATIVES = 4;

/** Shows the narrowest set of scopes, a few alternatives, and claims that no scope covers. */
export function Scopes({ required: { sets, uncovered }, claims, catalogue }: ScopesProps) {
  const [smallest = [], ...others] = sets;
  return (
    <div class="stack">
      {uncovered.length === 0 ? undefined : (
        <p>
          No scope of the catalogue covers{' '}
          {uncovered.map((claim, index) => (
            <span key={claim}>
              {index === 0 ? '' : ', '}
              <code>
                <bdi>{claim}</bdi>
              </code>
            </span>
          ))}
          : a service with this catalogue rejects this query, regardless of the grant.
        </p>
      )}
      {smallest.length === 0 ? undefined : (
        <>
          <p class="quiet">
            The query requires that the person has granted {counted(smallest.length, 'scope')}.
          </p>
          <PlainList class="needed">
            {smallest.map((scope) => (
              <RequiredScope key={scope} name={scope} claims={claims} catalogue={catalogue} />
            ))}
          </PlainList>
        </>
      )}
      {others.length === 0 ? undefined : (
        <p class="quiet small">
          Alternatives:{' '}
          {others.slice(0, MAX_ALTERNATIVES).map((set, index) => (
            <span key={set.join(' ')}>
              {index === 0 ? '' : '; '}
              <code>{set.join(' ')}</code>
            </span>
          ))}
          {others.length > MAX_ALTERNATIVES ? `; and ${others.length - MAX_ALTERNATIVES} more` : ''}.
        </p>
      )}
    </div>
  );
}

function RequiredScope({
  name,
  claims,
  catalogue,
}: Pick<ScopesProps, 'claims' | 'catalogue'> & { readonly name: string }) {
  const scope = catalogue.findScope(name);
  const held = catalogue.scopes.expand([name]);
  const covered = claims.filter((claim) =>
    catalogue.scopes.coveringScopes(claim).some((covering) => held.has(covering)),
  );
  return (
    <li class="needed-scope">
      <p class="row wrap">
        <strong>{scope?.displayName ?? name}</strong>
        <code class="quiet">{name}</code>
        {scope === undefined ? undefined : (
          <span class="tag" data-level={scope.sensitivity}>
            {SENSITIVITY_WORDS[scope.sensitivity]}
          </span>
        )}
      </p>
      <p class="quiet small">{scope?.description}</p>
      <p class="small">
        Required for{' '}
        {covered.map((claim, index) => (
          <span key={claim}>
            {index === 0 ? '' : ', '}
            <code>{claim}</code>
          </span>
        ))}
      </p>
    </li>
  );
}
