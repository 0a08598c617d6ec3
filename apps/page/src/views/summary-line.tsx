import type { JSX } from 'preact';
import { grouped, spentText } from '#numbers';
import type { PageSession } from '../state/page-session.ts';
import { TONE_SIGNS } from './report-tone.ts';
import { verdictWords } from './verdict-words.ts';

/** Signs that are shown beside the words of the verdict on all texts, because many people cannot tell the colours apart. */
const SIGNS = { good: TONE_SIGNS.accepted, bad: TONE_SIGNS.refused, dear: TONE_SIGNS.dear, open: TONE_SIGNS.open, none: '' } as const;

/**
 * Shows the verdict on all texts of the page, as the page's largest element. While a new verdict is computed, also shows the progress of
 * this computation.
 */
export function SummaryLine({ session }: { readonly session: PageSession }): JSX.Element {
  const { state, result, minor = session.state.minor, why, done, of } = session.judgement;
  const progress = done !== undefined && of !== undefined && of > 0 ? ` ${grouped(done)} of ${grouped(of)}` : '';
  const words =
    state === 'ended' ? { kind: 'open' as const, heading: 'Not judged', facts: [`${why}.`] } : result && verdictWords(result, minor);
  const kind = words?.kind ?? 'none';
  return (
    <div class={`summary ${state} ${kind}`}>
      {SIGNS[kind] !== '' && (
        <span class="sign" aria-hidden="true">
          {SIGNS[kind]}
        </span>
      )}
      <div class="said" role="status" aria-live="polite">
        <h2>{words?.heading ?? 'Judging …'}</h2>
        {words && 'reason' in words && <p class="reason">{words.reason}</p>}
        <p class="facts">
          {words?.facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          {result && state !== 'ended' && kind !== 'none' && <Took result={result} />}
          {state === 'judging' && words && <span>judging …{progress}</span>}
        </p>
      </div>
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
      <button type="button" class="to-results" onClick={goToResults}>
        Details
      </button>
    </div>
  );
}

/** Scrolls to the results on a small screen. */
function goToResults(): void {
  const results = document.getElementById('results');
  results?.scrollIntoView();
  results?.focus({ preventScroll: true });
}

const Took = ({ result: { compiles, spentMs } }: { readonly result: NonNullable<PageSession['judgement']['result']> }): JSX.Element => (
  <span
    class="took"
    title={compiles ? 'rules run as generated code' : 'rules are interpreted: the policy of this host forbids generated code'}
  >
    {spentText(spentMs)}
  </span>
);
