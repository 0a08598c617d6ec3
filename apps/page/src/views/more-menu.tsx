import { useEffect, useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import type { PageSession } from '../state/page-session.ts';
import { closeByHabit } from './close-by-habit.ts';
import { DropZone } from './drop-zone.tsx';
import { ThemeChoice } from './theme-choice.tsx';
import { useIsWide } from './use-is-wide.ts';

/** What is needed now and then: files, the manual, the theme. It is a menu only where there is no room. */
export function MoreMenu({ session }: { readonly session: PageSession }): JSX.Element {
  const isWide = useIsWide();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => (isWide ? undefined : closeByHabit(menu.current)), [isWide]);
  return (
    <details class="more" ref={menu} open={isWide}>
      <summary>Menu</summary>
      <div class="menu">
        <DropZone session={session} />
        <a href="./manual/index.html">Manual</a>
        <ThemeChoice />
      </div>
    </details>
  );
}
