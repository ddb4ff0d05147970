/** What a lens is: its name, its parameters, and what it sees of a value (L5, L23). */
import type { JsonValue } from '../claims/json-value.js';

export const LENS_NAMES = ['pluck', 'pick', 'at'] as const;

export type LensName = (typeof LENS_NAMES)[number];

/** A claim and the lens through which it is disclosed (L5). */
export type Projection =
  | { readonly claim: string; readonly lens: 'pluck' }
  | { readonly claim: string; readonly lens: 'pick'; readonly fields?: readonly string[] }
  | { readonly claim: string; readonly lens: 'at'; readonly index: number };

/** What a lens sees of a value; `null` where it does not fit (L23). Never throws. */
export type Extraction = (value: JsonValue) => JsonValue;
