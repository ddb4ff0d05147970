/** The choice of a theme, which the browser remembers. */
import { useState } from 'preact/hooks';
import { readTheme, setTheme, THEMES, type Theme } from '../model/storage.js';

const LABELS: Readonly<Record<Theme, string>> = {
  system: 'System theme',
  light: 'Light theme',
  dark: 'Dark theme',
};

/** The choice, as a select. */
export function ThemeSwitch() {
  const [chosen, choose] = useState(readTheme);
  return (
    <select
      class="theme"
      aria-label="Theme"
      value={chosen}
      onChange={({ currentTarget }) => {
        const theme = THEMES.find((one) => one === currentTarget.value) ?? 'system';
        setTheme(theme);
        choose(theme);
      }}
    >
      {THEMES.map((theme) => (
        <option key={theme} value={theme}>
          {LABELS[theme]}
        </option>
      ))}
    </select>
  );
}
