/** The state of the playground: from the link, from earlier work in this browser, or the first example. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { isShareLink, isShortenedLink, readFragment, type SharedState } from './share-link.js';
import { forgetWork, keepWork, readWork } from './storage.js';

/** The state and what happened to it. */
export interface PlaygroundState {
  readonly state: SharedState;
  readonly setState: (change: (before: SharedState) => SharedState) => void;
  /** Whether the page was opened with a share link that cannot be read. */
  readonly isBroken: boolean;
  /** Whether the state is earlier work of this browser. */
  readonly isRestored: boolean;
  /** Whether the last change could not be kept in the browser. */
  readonly isUnkept: boolean;
  /** Replaces the link in the address, without a new entry in the history. */
  readonly setLink: (fragment: string) => void;
  /** Hides the notice about earlier work. */
  readonly dismiss: () => void;
  /** Discards the work, deletes it from the browser's storage, and shows the first example. */
  readonly startAgain: () => void;
}

/** Delay between the last change and saving, so that typing does not wait for storage. */
const SAVE_DELAY_MS = 300;

/**
 * Returns the state, which is kept in the browser whenever the user changes it.
 *
 * @param first - The state if there is neither a link nor earlier work.
 * @param onReplaced - Called when a link or *Start again* replaces the whole state.
 */
export function usePlaygroundState(first: SharedState, onReplaced: () => void): PlaygroundState {
  const [initial] = useState(() => {
    const shared = readFragment(location.hash);
    const kept = readWork();
    // After *Share* without a catalogue that was too large, a reload must not lose the catalogue.
    if (kept !== undefined && (shared === undefined || isShortenedLink(shared, kept)))
      return { state: kept, isRestored: true };
    return { state: shared ?? first, isRestored: false };
  });
  const [state, setState] = useState(initial.state);
  const [isRestored, setRestored] = useState(initial.isRestored);
  const [isBroken, setBroken] = useState(isBrokenLink);
  const [isUnkept, setUnkept] = useState(false);
  /** The state that was last loaded or reset. It is not saved until the user changes it. */
  const untouched = useRef(initial.state);

  useEffect(() => {
    const reopen = () => {
      const shared = readFragment(location.hash);
      setBroken(isBrokenLink());
      if (shared === undefined) return;
      untouched.current = shared;
      setState(shared);
      setRestored(false);
      setUnkept(false);
      onReplaced();
    };
    addEventListener('hashchange', reopen);
    return () => removeEventListener('hashchange', reopen);
  }, []);

  useEffect(() => {
    if (state === untouched.current) return;
    const stop = () => {
      clearTimeout(timer);
      removeEventListener('pagehide', keep);
    };
    const keep = () => {
      const isKept = keepWork(state);
      setUnkept(!isKept);
      // When the page is closed later, another tab may have kept newer work, or deleted this.
      if (isKept) stop();
      // After a reload, a share link that differs from the state would be opened instead of the saved work.
      const shared = readFragment(location.hash);
      if (isKept && shared !== undefined && JSON.stringify(shared) !== JSON.stringify(state))
        removeFragment();
    };
    const timer = setTimeout(keep, SAVE_DELAY_MS);
    addEventListener('pagehide', keep);
    return stop;
  }, [state]);

  return {
    state,
    setState,
    isBroken,
    isRestored,
    isUnkept,
    setLink: (fragment) => {
      history.replaceState(undefined, '', fragment);
      setBroken(false);
    },
    dismiss: () => setRestored(false),
    startAgain: () => {
      forgetWork();
      if (isShareLink(location.hash)) removeFragment();
      untouched.current = first;
      setState(first);
      setBroken(false);
      setRestored(false);
      setUnkept(false);
      onReplaced();
    },
  };
}

function removeFragment(): void {
  history.replaceState(undefined, '', location.pathname + location.search);
}

function isBrokenLink(): boolean {
  return isShareLink(location.hash) && readFragment(location.hash) === undefined;
}
