import { useEffect, useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import type { PageSession } from '../state/page-session.ts';
import { closeByHabit } from './close-by-habit.ts';
import { DropZone } from './drop-zone.tsx';
import { ThemeChoice } from './theme-choice.tsx';
import { useIsWide } from './use-is-wide.ts';

/** Offers files, the manual and the theme. It folds them into a menu on a small screen. */
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
