/** Renders the limits of what an application learns from a scope: the level of evidence (S343) and inference bounds (S346). */
import { ClaimNames } from '../../describe/claim-names.js';
import { capitalize } from '../../describe/message-formatter.js';
import { ValueFormatter } from '../../describe/value-formatter.js';
import type { CatalogueClaim, EvidenceLevel } from '../../engine/index.js';
import {
  type Application,
  allowedEvidence,
  type Condition,
  claimsOfCondition,
  type ServiceCatalogue,
} from '../../service/index.js';
import { isolated } from './format.js';
import { type Html, html } from './page.js';
import type { PageLanguage } from './page-language.js';

const LEVEL_SENTENCES = { checks: 'evidence.checks', none: 'evidence.none' } as const;

/** The requested conditions, and the application that requests them. */
export interface LimitedRequest {
  readonly application: Pick<Application, 'name' | 'maxEvidence'>;
  readonly conditions: readonly Condition[];
  readonly catalogue: ServiceCatalogue;
  readonly language: PageLanguage;
}

/** The limits of one scope. */
export interface AnswerLimits {
  /** Paths of the claims whose values the application does not see. */
  readonly withheld: ReadonlySet<string>;
  /** One sentence for each limit. A limit that applies to all scopes is left out: see {@link applicationLimit}. */
  readonly sentences: readonly Html[];
}

/** Returns the limits of a scope. @param claims - The claims that the scope covers. */
export function answerLimits(
  scope: string,
  claims: readonly CatalogueClaim[],
  request: LimitedRequest,
): AnswerLimits {
  const { catalogue } = request;
  const { maxEvidence = 'full' } = request.application;
  const limits = { grantedScopes: [scope], maxEvidence };
  const levels = new Map(
    claims.map(({ path }) => [path, allowedEvidence('full', [path], limits, catalogue)]),
  );
  const limited = claims.filter(({ path }) => levels.get(path) !== 'full');
  if (limited.length === 0) return { withheld: new Set(), sentences: [] };
  const sentence =
    limited.length < claims.length
      ? someValues(limited, request)
      : // The highest level among the claims.
        levelSentence([...levels.values()].includes('checks') ? 'checks' : 'none', request);
  // `applicationLimit` renders this sentence once for all scopes.
  const isApplicationLimit =
    maxEvidence !== 'full' && [...levels.values()].every((level) => level === maxEvidence);
  return {
    withheld: new Set(limited.map(({ path }) => path)),
    sentences: [...(isApplicationLimit ? [] : [sentence]), ...boundSentences(limited, request)],
  };
}

/** Renders the limit of all scopes of an application; empty without one. */
export function applicationLimit(request: LimitedRequest): Html {
  const { maxEvidence = 'full' } = request.application;
  return maxEvidence === 'full' ? html`` : html`<p>${levelSentence(maxEvidence, request)}</p>\n`;
}

function levelSentence(
  level: Exclude<EvidenceLevel, 'full'>,
  { application, language }: LimitedRequest,
): Html {
  return language.html(LEVEL_SENTENCES[level], { app: isolated(application.name) });
}

function someValues(
  limited: readonly CatalogueClaim[],
  { application, catalogue, language }: LimitedRequest,
): Html {
  const names = new ClaimNames(catalogue.definition.claims, language.language);
  const formatter = new ValueFormatter(names, language.language);
  const claims = html`${formatter.list(limited.map(({ path }) => names.label(path)))}`;
  return language.html('evidence.some', { app: isolated(application.name), claims });
}

/**
 * Renders the inference bounds of claims; for a derived claim, the bound of its parent. Omits claims that a requested condition uses: conditions
 * are answered regardless of bounds.
 */
function boundSentences(
  claims: readonly CatalogueClaim[],
  { conditions, catalogue, language }: LimitedRequest,
): readonly Html[] {
  const boundedClaimOf = (path: string): CatalogueClaim | undefined => {
    const claim = catalogue.findClaim(path);
    return claim?.derived === undefined ? claim : catalogue.findClaim(claim.derived.parent);
  };
  const answered = new Set(conditions.flatMap(claimsOfCondition).map(boundedClaimOf));
  const bounded = new Set(claims.map(({ path }) => boundedClaimOf(path)));
  const names = new ClaimNames(catalogue.definition.claims, language.language);
  const formatter = new ValueFormatter(names, language.language);
  return [...bounded].flatMap((claim) => {
    if (claim?.inferenceBound === undefined || answered.has(claim)) return [];
    const { inferenceBound: bound } = claim;
    const label = html`${capitalize(names.label(claim.path), language)}`;
    if ('years' in bound) return [language.html('bound.years', { claim: label, count: bound.years })];
    if ('values' in bound) return [language.html('bound.values', { claim: label, count: bound.values })];
    const width = html`${formatter.value(bound.width, { ...claim, type: 'number' })}`;
    return [language.html('bound.width', { claim: label, width })];
  });
}
