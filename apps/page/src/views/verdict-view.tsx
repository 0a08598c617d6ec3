import type { JSX } from 'preact';
import type { DocumentReport, PlacedFinding } from '../judge/judge-messages.ts';
import type { PageSession } from '../state/page-session.ts';
import { countText } from './count-text.ts';

/** Title of the action that the language service offers for any plain text if it has no better one. */
const QUOTE = 'Quote the value';
/** Reports that are listed; all are counted. */
const LISTED = 200;
const OUTCOME_WORDS: Readonly<Record<DocumentReport['outcome'], string>> = {
  accepted: 'accepted',
  rejected: 'refused',
  notEvaluated: 'not judged',
  cancelled: 'stopped',
};
/** A sign beside the word: colour alone says nothing to many. */
const SIGNS: Readonly<Record<DocumentReport['outcome'], string>> = { accepted: '✓', rejected: '✗', notEvaluated: '?', cancelled: '■' };

/** Shows the server's answer to each document, in its own words. */
export function VerdictView({ session }: { readonly session: PageSession }): JSX.Element {
  const { result } = session.judgement;
  if (result === undefined) return <p class="muted">Nothing is judged yet.</p>;
  const { definitions, policies, objects } = result;
  const all = [...definitions, ...policies, ...objects];
  if (all.length === 0)
    return <p class="muted">Write or drop a CustomResourceDefinition on the left, and objects below it; or begin with an example.</p>;
  return (
    <>
      <SquiggledFixes session={session} />
      <ol class="reports">
        {all.slice(0, LISTED).map((report, i) => (
          <Report key={i} report={report} session={session} />
        ))}
      </ol>
      {all.length > LISTED && <p class="muted">… and {countText(all.length - LISTED)} more.</p>}
    </>
  );
}

function Report({ report, session }: { readonly report: DocumentReport; readonly session: PageSession }): JSX.Element {
  const { outcome, title, message, code, reason, warnings, findings, cost, pane, line, isUpdate, stored } = report;
  return (
    <li class={`report ${outcome}`}>
      <h2>
        <span class="sign" aria-hidden="true">
          {SIGNS[outcome]}
        </span>
        <button type="button" class="link" onClick={() => session.goTo({ pane, line, column: 1 })}>
          {title}
        </button>
        <span class="outcome">
          {OUTCOME_WORDS[outcome]}
          {code !== undefined && `: ${code} ${reason ?? ''}`}
          {isUpdate === true && ' (update)'}
        </span>
        {cost !== undefined && cost >= 0 && <span class="cost">{countText(cost)} units</span>}
      </h2>
      {message !== undefined && (
        <pre class="server" tabIndex={0} aria-label="What the server says">
          {message}
        </pre>
      )}
      {warnings.map((warning, i) => (
        <pre key={i} class="server warning">{`Warning: ${warning}`}</pre>
      ))}
      {findings.length > 0 && (
        <ul class="findings">
          {findings.slice(0, 20).map((finding, i) => (
            <Finding key={i} finding={finding} report={report} session={session} />
          ))}
        </ul>
      )}
      {stored !== undefined && (
        <details>
          <summary>As it would be stored</summary>
          <pre tabIndex={0}>{stored}</pre>
        </details>
      )}
    </li>
  );
}

function Finding({
  finding,
  report,
  session,
}: {
  readonly finding: PlacedFinding;
  readonly report: DocumentReport;
  readonly session: PageSession;
}): JSX.Element {
  const { at, field, message, severity } = finding;
  const { pane } = report;
  return (
    <li class={severity}>
      {at && (
        <button type="button" class="link" onClick={() => session.goTo({ pane, ...at })}>
          {at.line}:{at.column}
        </button>
      )}{' '}
      {field !== undefined && <code>{field}</code>} {message}
    </li>
  );
}

/** Shows fixes that one click applies. */
function SquiggledFixes({ session }: { readonly session: PageSession }): JSX.Element | null {
  const fixes = (['definitions', 'changed', 'policies'] as const).flatMap((pane) =>
    session.notesOf(pane).diagnostics.flatMap(({ actions = [], range }) => {
      const others = actions.filter(({ title }) => title !== QUOTE);
      return (others.length > 0 ? others : actions).map((action) => ({ pane, action, range }));
    }),
  );
  const seen = new Map(fixes.map((fix) => [`${fix.pane} ${fix.action.title}`, fix]));
  if (seen.size === 0) return null;
  return (
    <div class="fixes" role="group" aria-label="What would help">
      <h2>What would help</h2>
      {[...seen.values()].slice(0, 10).map(({ pane, action, range }) => (
        <button key={action.title} type="button" onClick={() => session.applyFix(pane, action)}>
          {action.title} <span class="muted">(line {range.start.line + 1})</span>
        </button>
      ))}
    </div>
  );
}
