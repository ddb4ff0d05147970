/** What an analysis answers: yes, no, or that it does not know and why; never a guess. */
import type { Credential } from '../engine/index.js';

/**
 * Claims that show a verdict, as one credential's: the engine has been asked about them before they are shown.
 *
 * Active at every instant from 1970 on.
 */
export type Witness = readonly [Credential];

/** Whether something holds. What is shown by an example comes with one. */
export type Verdict =
  | { readonly answer: 'yes'; readonly witness?: Witness }
  | { readonly answer: 'no'; readonly witness?: Witness }
  | { readonly answer: 'unknown'; readonly reason: string };
