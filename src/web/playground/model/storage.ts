/** What the browser keeps between visits: the user's work and the theme. Browsers may deny access to storage; then nothing is kept. */
import { readJson, type SharedState, toJson } from './share-link.js';

const WORK = 'proviso.playground.work';
const THEME = 'proviso.theme';

/** The themes; `system` follows the system. */
export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

/** Reads the kept work; `undefined` without any. Never throws. */
export function readWork(): SharedState | undefined {
  const text = read(WORK);
  return text === null ? undefined : readJson(text);
}

/** Keeps the work. Never throws. @returns Whether it is kept: storage may be full or disabled. */
export function keepWork(state: SharedState): boolean {
  return write(WORK, toJson(state));
}

/** Removes the kept work. Never throws. */
export function forgetWork(): void {
  write(WORK, undefined);
}

/** Reads the chosen theme. Never throws. */
export function readTheme(): Theme {
  const name = read(THEME);
  return THEMES.find((theme) => theme === name) ?? 'system';
}

/** Applies a theme to the page and keeps it. Never throws. */
export function setTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') root.removeAttribute('data-theme');
  else root.setAttribute('data-theme', theme);
  write(THEME, theme === 'system' ? undefined : theme);
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param value - `undefined` to remove the entry. @returns Whether it was written. */
function write(key: string, value: string | undefined): boolean {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
