/** The catalogue of the service: the entries of a parsed catalogue, found by name. */
import { describe, expect, it } from 'vitest';
import { re2js } from '../../../../src/regex/re2js.js';
import { createServiceCatalogue, DEFAULT_CATALOGUE, parseCatalogue } from '../../../../src/service/index.js';
import { CLAIM, PRESET, SCOPE } from '../../../support/loyalty-catalogue.js';

describe('a custom catalogue', () => {
  it('replaces the default catalogue unless it extends it', () => {
    const catalogue = createServiceCatalogue(
      parseCatalogue({ scopes: [SCOPE], claims: [CLAIM], presets: [PRESET] }),
    );
    expect(catalogue.scopes.scopes).toEqual(['loyalty:read']);
    expect(catalogue.findPreset('points')).toMatchObject({ scope: 'loyalty:read', category: 'loyalty' });
    expect(catalogue.findClaim('kyc.level')).toBeUndefined();
  });

  it('that extends the default catalogue adds entries, and replaces those of the same name', () => {
    const changed = { ...SCOPE, name: 'kyc:read', category: 'kyc', sensitivity: 'medium' };
    const read = parseCatalogue({
      extends: 'default',
      scopes: [SCOPE, changed],
      claims: [CLAIM],
      presets: [PRESET],
    });
    const catalogue = createServiceCatalogue(read);
    expect(catalogue.findScope('kyc:read')?.displayName).toBe('Your points');
    expect(catalogue.presets).toHaveLength(DEFAULT_CATALOGUE.presets.length + 1);
    expect(read.scopes).toHaveLength(DEFAULT_CATALOGUE.scopes.length + 1);
  });

  it('is rejected with an invalid pattern of a derived claim if an engine for patterns is passed', () => {
    const check = { operator: 'matchRegex', value: '(' };
    const isGold = { ...CLAIM, path: 'loyalty.is_gold', type: 'boolean' };
    const catalogue = parseCatalogue({
      scopes: [SCOPE],
      claims: [
        { ...CLAIM, type: 'string' },
        { ...isGold, derived: { parent: CLAIM.path, check } },
      ],
      presets: [],
    });
    expect(() => createServiceCatalogue(catalogue, re2js)).toThrow(/\/claims\/1\/derived\/check/);
  });
});
