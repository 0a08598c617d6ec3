import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { PageSession } from '../state/page-session.ts';
import type { View } from '../state/page-state.ts';
import { closeByHabit } from './close-by-habit.ts';
import { DropZone } from './drop-zone.tsx';
import { useIsWide } from './use-is-wide.ts';

/** Views that do not depend on the texts in the editors. */
const OTHER_VIEWS: readonly { readonly id: View; readonly words: string }[] = [
  { id: 'examples', words: 'Examples' },
  { id: 'learn', words: 'Learn' },
  { id: 'server', words: 'Server' },
];

/**
 * Renders the controls for files, examples, tasks, the server, the manual and the theme. On a narrow screen, a menu contains these
 * controls.
 */
export function MoreMenu({ session }: { readonly session: PageSession }): JSX.Element {
  const isWide = useIsWide();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => (isWide ? undefined : closeByHabit(menu.current)), [isWide]);
  return (
    <details class="more" ref={menu} open={isWide}>
      <summary>Menu</summary>
      <div class="menu">
        <DropZone session={session} />
        {OTHER_VIEWS.map(({ id, words }) => (
          <button
            key={id}
            type="button"
            class="link"
            aria-current={session.state.view === id ? 'true' : undefined}
            onClick={() => session.setView(id)}
          >
            {words}
          </button>
        ))}
        <a href="./manual/index.html">Manual</a>
        <ThemeChoice />
      </div>
    </details>
  );
}

const KEY = 'assay.theme';
const THEMES = { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' } as const;
type Theme = keyof typeof THEMES;

/** Lets the user choose the light theme, the dark theme, or the theme of the system. */
function ThemeChoice(): JSX.Element {
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
