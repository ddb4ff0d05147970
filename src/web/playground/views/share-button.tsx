/** Puts what one plays with into the address, and the address onto the clipboard. */
import { useState } from 'preact/hooks';
import { MAX_FRAGMENT_CODE_UNITS } from '../model/share-link.js';

/** @param fragment - Made when the button is pressed. */
export function ShareButton({ fragment }: { readonly fragment: () => string }) {
  const [said, say] = useState('');
  const share = async () => {
    const made = fragment();
    if (made.length > MAX_FRAGMENT_CODE_UNITS) {
      say('Too long for a link');
      return;
    }
    // Not by `location.hash`: going back should not go through every link that was made.
    history.replaceState(undefined, '', made);
    try {
      await navigator.clipboard.writeText(location.href);
      say('Link copied');
    } catch {
      say('The link is in the address bar');
    }
  };
  return (
    <span class="share">
      <span class="quiet small" role="status">
        {said}
      </span>
      <button type="button" class="button button-small" onClick={share}>
        Share
      </button>
    </span>
  );
}
