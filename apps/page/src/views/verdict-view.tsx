import type { JSX } from 'preact';
import { grouped } from '#numbers';
import type { DocumentReport, PlacedFinding } from '../judge/judge-client.ts';
import type { PageSession } from '../state/page-session.ts';
import { PANE_WORDS, PANES } from '../state/texts.ts';
import type { Pane } from '../state/texts.ts';
import { lazyComponent } from './lazy-component.tsx';
import { errorsOf, splitFindings, TONE_SIGNS, toneOf } from './verdict-words.ts';
import type { Tone } from './verdict-words.ts';

const Fixes = lazyComponent(async () => (await import('./fixes.tsx')).Fixes);

/** Maximum number of reports that are listed. The counts include all reports. */
const LISTED = 200;
const OUTCOME_WORDS: Readonly<Record<DocumentReport['outcome'], string>> = {
  accepted: 'accepted',
  rejected: 'refused',
  notEvaluated: 'not judged',
  cancelled: 'stopped',
};
/** Words that follow the outcome of a report, by its meaning. */
const TONE_WORDS: Readonly<Partial<Record<Tone, string>>> = { warned: ', with a warning', expensive: ', too expensive' };

/** Maximum number of findings that are listed for one document. */
const MAX_FINDINGS = 20;

/** Shows the server's answer to each document, in the words of the server. */
export function VerdictView({ session }: { readonly session: PageSession }): JSX.Element {
  const { result } = session.judgement;
  if (result === undefined) return <p class="empty">The verdict on each document appears here.</p>;
  const { definitions, policies, objects } = result;
  const all = [...definitions, ...policies, ...objects];
  if (all.length === 0)
    return (
      <p class="empty">
        Write or drop a CustomResourceDefinition into <em>Definitions</em>, and objects into <em>Objects</em>. Or{' '}
        <button type="button" class="link" onClick={() => session.setView('examples')}>
          start with an example
        </button>
        .
      </p>
    );
  return (
    <>
      {hasFixes(session) && <Fixes session={session} />}
      <ol class="reports">
        {all.slice(0, LISTED).map((report, i) => (
          <Report key={i} report={report} session={session} />
        ))}
      </ol>
      {all.length > LISTED && <p class="muted">… and {grouped(all.length - LISTED)} more.</p>}
    </>
  );
}

/** Returns true if the language service offers an action for some text. */
const hasFixes = (session: PageSession): boolean =>
  PANES.some((pane) => session.notesOf(pane).diagnostics.some(({ actions = [] }) => actions.length > 0));

function Report({ report, session }: { readonly report: DocumentReport; readonly session: PageSession }): JSX.Element {
  const { outcome, title, code, reason, cost, pane, line, isUpdate, stored } = report;
  const tone = toneOf(report);
  return (
    <li class={`report ${outcome} ${tone}`}>
      <h2>
        <span class="sign" aria-hidden="true">
          {outcome === 'cancelled' ? '■' : TONE_SIGNS[tone]}
        </span>
        <span class="said">
          <button type="button" class="link" onClick={() => session.goTo({ pane, line, column: 1 })}>
            {title}
          </button>{' '}
          <span class="outcome">
            {OUTCOME_WORDS[outcome]}
            {code !== undefined && outcome !== 'notEvaluated' && `: ${code} ${reason ?? ''}`}
            {TONE_WORDS[tone]}
            {isUpdate === true && ' (update)'}
          </span>
        </span>
        {cost !== undefined && cost >= 0 && <span class="cost">{grouped(cost)} units</span>}
      </h2>
      <Answer report={report} session={session} />
      <FailedRules report={report} session={session} />
      {stored !== undefined && (
        <details>
          <summary>Stored object</summary>
          <pre tabIndex={0}>{stored}</pre>
        </details>
      )}
    </li>
  );
}

/**
 * Shows the message of the server and its findings, each text once. A short message with one cause is shown whole, with a link to the line.
 * Otherwise the causes are a list, and the whole message is folded away below it. An object of a refused definition has only a reference to
 * the definition.
 */
function Answer({ report, session }: { readonly report: DocumentReport; readonly session: PageSession }): JSX.Element {
  const { message, findings, refusedDefinition } = report;
  if (refusedDefinition)
    return (
      <p class="muted">
        Its definition is refused:{' '}
        <button type="button" class="link" onClick={() => session.goTo({ ...refusedDefinition, column: 1 })}>
          {refusedDefinition.title}
        </button>
      </p>
    );
  const errors = errorsOf(report);
  // The message about a rule that does not compile quotes the rule as a structure of Go. Its finding says the same in a few words.
  const isWhole = errors.length <= 1 && errors.every((error) => message?.includes(error.message) !== false);
  const { main, following } = splitFindings(findings);
  const text = message !== undefined && (
    <pre class="server" tabIndex={0} aria-label="The message of the server">
      {message}
    </pre>
  );
  return (
    <>
      {isWhole && text}
      <Findings findings={main} report={report} session={session} isWhole={isWhole} />
      {following.length > 0 && (
        <details>
          <summary>
            {following.length === 1 ? 'Another error follows' : `${grouped(following.length)} other errors follow`} from this
          </summary>
          <Findings findings={following} report={report} session={session} isWhole={false} />
        </details>
      )}
      {!isWhole && text && (
        <details>
          <summary>The whole message of the server</summary>
          {text}
        </details>
      )}
    </>
  );
}

/** Lists findings. With `isWhole`, errors have only a link to their line, because the message is shown already. */
function Findings({
  findings,
  report: { pane },
  session,
  isWhole,
}: {
  readonly findings: readonly PlacedFinding[];
  readonly report: DocumentReport;
  readonly session: PageSession;
  readonly isWhole: boolean;
}): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <>
      <ul class="findings">
        {findings.slice(0, MAX_FINDINGS).map((finding, i) => (
          <Finding key={i} finding={finding} pane={pane} session={session} isPlaceOnly={isWhole && finding.severity === 'error'} />
        ))}
      </ul>
      {findings.length > MAX_FINDINGS && <p class="muted">… and {grouped(findings.length - MAX_FINDINGS)} more.</p>}
    </>
  );
}

/** Names the rules whose results were not true, with links to their lines. Returns null if there are none. */
function FailedRules({
  report: { failedRules = [] },
  session,
}: {
  readonly report: DocumentReport;
  readonly session: PageSession;
}): JSX.Element | null {
  if (failedRules.length === 0) return null;
  return (
    <ul class="findings" aria-label="Rules that are not true">
      {failedRules.map(({ rule, pane, at }) => (
        <li key={rule}>
          Rule{' '}
          {pane !== undefined && at && (
            <button type="button" class="link" onClick={() => session.goTo({ pane, ...at })}>
              in line {at.line} of {PANE_WORDS[pane]}
            </button>
          )}
          : <code>{rule}</code>
        </li>
      ))}
    </ul>
  );
}

/**
 * Shows a finding with a link to its line. With `isPlaceOnly`, leaves out the message of the finding, because the message is shown already.
 */
function Finding({
  finding: { at, field, message, severity },
  pane,
  session,
  isPlaceOnly,
}: {
  readonly finding: PlacedFinding;
  readonly pane: Pane;
  readonly session: PageSession;
  readonly isPlaceOnly: boolean;
}): JSX.Element | null {
  if (isPlaceOnly && at === undefined) return null;
  return (
    <li class={severity}>
      {at && (
        <button type="button" class="link" title={`Line ${at.line}, column ${at.column}`} onClick={() => session.goTo({ pane, ...at })}>
          Line {at.line}
        </button>
      )}{' '}
      {!isPlaceOnly && `${severity === 'warning' ? 'Warning: ' : ''}${message} `}
      {field !== undefined && <code class="muted">{field}</code>}
    </li>
  );
}
