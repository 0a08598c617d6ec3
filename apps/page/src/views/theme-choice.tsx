import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';

const KEY = 'assay.theme';
const THEMES = { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' } as const;
type Theme = keyof typeof THEMES;

/** Lets the user choose the light theme, the dark theme, or the theme of the system. */
export function ThemeChoice(): JSX.Element {
  const [theme, setTheme] = useState<Theme>(keptTheme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The browser blocks storage for this page.
    }
  }, [theme]);
  return (
    <label>
      <span class="unseen">Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        {Object.entries(THEMES).map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}
