/** The entries of a small catalogue file, which tests change. */
export const SCOPE = {
  name: 'loyalty:read',
  category: 'loyalty',
  sensitivity: 'low',
  display_name: 'Your points',
  description: 'How many points you have.',
};
export const CLAIM = {
  path: 'loyalty.points',
  type: 'integer',
  scope: 'loyalty:read',
  sensitivity: 'low',
  description: 'Points.',
};
export const PRESET = { name: 'points', claim: 'loyalty.points', consent_text: 'Your points' };
