import type { JSX } from 'preact';
import { PANE_HINTS, paneExample } from '../state/pane-examples.ts';
import type { PageSession } from '../state/page-session.ts';
import type { Pane } from '../state/texts.ts';

/** Says what belongs into an empty pane, and offers an example. */
export function EmptyPane({ session, pane }: { readonly session: PageSession; readonly pane: Pane }): JSX.Element {
  const insert = (): void => {
    session.give({ [pane]: paneExample(pane, session.state.texts) }, '');
    session.goTo({ pane, line: 1, column: 1 });
  };
  const isCopy = pane === 'changed' && session.state.texts.definitions.trim() !== '';
  return (
    <div class="empty-pane">
      <p>{PANE_HINTS[pane]}</p>
      <button type="button" onClick={insert}>
        {isCopy ? 'Insert a copy of your definition' : 'Insert an example'}
      </button>
    </div>
  );
}
