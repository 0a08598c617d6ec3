import { useEffect, useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import type { PageSession } from '../state/page-session.ts';
import type { View } from '../state/page-state.ts';
import { closeByHabit } from './close-by-habit.ts';
import { DropZone } from './drop-zone.tsx';
import { ThemeChoice } from './theme-choice.tsx';
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
