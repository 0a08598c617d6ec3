import type { JSX } from 'preact';
import type { CodeAction, Range } from '#editing/language';
import { setsBounds } from '../state/code-actions.ts';
import type { PageSession } from '../state/page-session.ts';
import type { Pane } from '../state/texts.ts';
import { MendButton } from './mend-button.tsx';

/**
 * Title of the action that the language service offers for an unquoted text if it knows no better action. Such actions are not listed as
 * fixes.
 */
const QUOTE = 'Quote the value';
/** Maximum number of fixes that are offered. */
const MAX_FIXES = 10;

/**
 * Shows fixes that one click applies. The fix that sets all bounds together comes first, because one bound alone often does not suffice.
 */
export function Fixes({ session }: { readonly session: PageSession }): JSX.Element {
  const fixes = (['definitions', 'changed', 'policies'] as const).flatMap((pane) =>
    session.notesOf(pane).diagnostics.flatMap(({ actions = [], range }) => {
      const others = actions.filter(({ title }) => title !== QUOTE);
      return (others.length > 0 ? others : actions).map((action) => ({ pane, action, range }));
    }),
  );
  const seen = [...new Map(fixes.map((fix) => [`${fix.pane} ${fix.action.title}`, fix])).values()];
  const isMendable = seen.some(({ pane, action }) => pane === 'definitions' && setsBounds(action));
  if (seen.length === 0) return <></>;
  const isSingle = ({ pane, action }: Fix): boolean => isMendable && pane === 'definitions' && setsBounds(action);
  const [single, others] = [seen.filter(isSingle), seen.filter((fix) => !isSingle(fix))];
  return (
    <div class="fixes" role="group" aria-label="What would help">
      <h2>What would help</h2>
      {isMendable && <MendButton session={session} />}
      {others.slice(0, MAX_FIXES).map((fix) => (
        <FixButton key={fix.action.title} fix={fix} session={session} />
      ))}
      {single.length > 1 && (
        <details>
          <summary>Or add limits for one rule only</summary>
          {single.slice(0, MAX_FIXES).map((fix) => (
            <FixButton key={fix.action.title} fix={fix} session={session} />
          ))}
        </details>
      )}
    </div>
  );
}

interface Fix {
  readonly pane: Pane;
  readonly action: CodeAction;
  readonly range: Range;
}

const FixButton = ({ fix: { pane, action, range }, session }: { readonly fix: Fix; readonly session: PageSession }): JSX.Element => (
  <button type="button" onClick={() => session.applyFix(pane, action)}>
    {action.title} <span class="muted">(line {range.start.line + 1})</span>
  </button>
);
