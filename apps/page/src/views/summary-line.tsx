import type { JSX } from 'preact';
import type { PageSession } from '../state/page-session.ts';
import { countText, timeText } from './count-text.ts';

/** One line that says what came of it, how long it took, and lets it be stopped. */
export function SummaryLine({ session }: { readonly session: PageSession }): JSX.Element {
  const { state, result, why, done, of } = session.judgement;
  const progress = done !== undefined && of !== undefined && of > 0 ? ` ${countText(done)} of ${countText(of)}` : '';
  return (
    <div class={`summary ${state}`}>
      <p role="status" aria-live="polite">
        {state === 'ended' ? <strong>Not judged: {why}.</strong> : result && <Counts result={result} />}
        {state === 'judging' && <span class="muted"> judging …{progress}</span>}
      </p>
      {state === 'judging' ? (
        <button type="button" onClick={() => session.stop()}>
          Stop
        </button>
      ) : (
        state === 'ended' && (
          <button type="button" onClick={() => session.judgeAgain()}>
            Judge again
          </button>
        )
      )}
    </div>
  );
}

function Counts({ result }: { readonly result: NonNullable<PageSession['judgement']['result']> }): JSX.Element {
  const { definitions, policies, counts, spentMs, objects } = result;
  const refused = [...definitions, ...policies].filter(({ outcome }) => outcome !== 'accepted').length;
  const cost = objects.reduce((sum, one) => sum + Math.max(one.cost ?? 0, 0), 0);
  const written = definitions.length + policies.length;
  const found = [
    counts.accepted > 0 && `${countText(counts.accepted)} accepted`,
    counts.rejected > 0 && `${countText(counts.rejected)} refused`,
    counts.notEvaluated > 0 && `${countText(counts.notEvaluated)} not judged`,
    counts.cancelled > 0 && `${countText(counts.cancelled)} stopped`,
  ].filter((word) => word !== false);
  const words = [
    written > 0 && (refused === 0 ? 'definitions accepted' : `${refused} of ${written} definitions and policies refused`),
    found.length > 0 && `objects: ${found.join(', ')}`,
    `${objects.length > 0 ? `${countText(cost)} cost units, ` : ''}${timeText(spentMs)}`,
  ].filter((word) => word !== false);
  const isBad = refused > 0 || counts.rejected + counts.notEvaluated > 0;
  return (
    <span
      class={isBad ? 'bad' : 'good'}
      title={result.compiles ? 'rules run as generated code' : 'rules are interpreted: the policy of this host forbids generated code'}
    >
      {isBad ? '✗ ' : '✓ '}
      {words.join('; ')}
    </span>
  );
}
