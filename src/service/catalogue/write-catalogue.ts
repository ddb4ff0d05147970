/** A catalogue as the JSON that `readCatalogue` reads, for a deployment to begin with. */
import type { Catalogue, CatalogueClaim, Derivation } from '../../engine/index.js';

/** The reverse of `readCatalogue`: what it gives reads as the same catalogue. Never throws. */
export function writeCatalogue({ scopes, claims, presets }: Catalogue): Readonly<Record<string, unknown>> {
  return {
    scopes: scopes.map(({ displayName, implies, alsoCovers, ...scope }) => ({
      ...scope,
      display_name: displayName,
      implied_scopes: implies,
      also_covers: alsoCovers,
    })),
    claims: claims.map(writeClaim),
    presets: presets.map(({ consentText, ...preset }) => ({ ...preset, consent_text: consentText })),
  };
}

function writeClaim({ derived, ...claim }: CatalogueClaim): Readonly<Record<string, unknown>> {
  return derived === undefined ? claim : { ...claim, derived: writeDerivation(derived) };
}

function writeDerivation(derived: Derivation): Readonly<Record<string, unknown>> {
  if (!('check' in derived)) return derived;
  const { operator, ...operand } = derived.check;
  const written = 'value' in operand ? operand : { years_before_now: operand.yearsBeforeNow };
  return { parent: derived.parent, check: { operator, ...written } };
}
