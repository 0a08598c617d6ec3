import type { JSX } from 'preact';
import { grouped } from '#numbers';
import type { JudgeAsk } from '../judge/judge-client.ts';
import type { PageSession } from '../state/page-session.ts';
import type { RepeatedRequest } from './use-answer.ts';

/**
 * Shows the progress of a request that the page repeats after edits, with a button that stops it. If the request has no answer, shows the
 * reason, with a button that repeats the request. `words` is the text of this button.
 */
export function AnswerStatus({
  words,
  session,
  request: { isWaiting, progress, why, repeat },
}: {
  readonly words: string;
  readonly session: PageSession;
  readonly request: Omit<RepeatedRequest<JudgeAsk>, 'last'> & { readonly repeat: () => void };
}): JSX.Element {
  return (
    <>
      {isWaiting && (
        <button type="button" onClick={() => session.besides.end('you stopped it')}>
          Stop
        </button>
      )}
      {why !== undefined && (
        <button type="button" onClick={repeat}>
          {words}
        </button>
      )}
      <span role="status" class="muted">
        {isWaiting && ` judging … ${progress ? `${grouped(progress.done)} of ${grouped(progress.of)}` : ''}`}
        {why !== undefined && `Not judged: ${why}.`}
      </span>
    </>
  );
}
