/** How something came out, as a sign and as a word: the colour only helps (WCAG 1.4.1). */
import type { Outcome } from '../model/policy-tree.js';
import { OUTCOME_WORDS } from './words.js';

const STROKES: Readonly<Record<Outcome, string>> = {
  passed: 'm5.5 10.4 3 3 6-6.6',
  failed: 'm6.4 6.4 7.2 7.2m0-7.2-7.2 7.2',
  undefined: 'M6 10h8',
};

/** The sign, with its word for who listens. */
export function Mark({ outcome, size = 20 }: { readonly outcome: Outcome; readonly size?: number }) {
  return (
    <span class="mark" data-outcome={outcome}>
      <svg viewBox="0 0 20 20" width={size} height={size} aria-hidden="true" focusable="false">
        <circle cx="10" cy="10" r="10" class="mark-ground" />
        <path
          d={STROKES[outcome]}
          class="mark-stroke"
          fill="none"
          stroke-width="2.2"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
      <span class="visually-hidden">{OUTCOME_WORDS[outcome]}: </span>
    </span>
  );
}
