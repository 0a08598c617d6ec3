import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { JudgeAnswers, JudgeAsk } from '../judge/judge-messages.ts';
import type { PageSession } from '../state/page-session.ts';
import { countText } from './count-text.ts';

/**
 * Returns a button that sends a request to the worker that computes verdicts. While the worker handles the request, the button stops it.
 * With `atOnce`, the request is sent whenever the texts change. Then the button appears only if the last answer is missing.
 */
export function JudgeButton<One extends JudgeAsk>({
  words,
  session,
  ask,
  onAnswer,
  disabled = false,
  atOnce = false,
}: {
  readonly words: string;
  readonly session: PageSession;
  readonly ask: One;
  readonly onAnswer: (answer: JudgeAnswers[One['kind']]) => void;
  readonly disabled?: boolean;
  /** True if the request is sent without a click: when the button appears, and whenever the texts change. */
  readonly atOnce?: boolean;
}): JSX.Element {
  const [state, setState] = useState<{ readonly isWaiting: boolean; readonly words?: string }>({ isWaiting: false });
  const judge = session.besides;
  const shown = useRef(true);
  const round = useRef(0);
  const begin = async (): Promise<void> => {
    const own = ++round.current;
    setState({ isWaiting: true });
    const onProgress = (done: number, of: number): void => setState({ isWaiting: true, words: `${countText(done)} of ${countText(of)}` });
    const outcome = await judge.ask(ask, { onProgress });
    // An older answer is about other texts.
    if (!shown.current || own !== round.current) return;
    setState({ isWaiting: false, ...(outcome.kind === 'ended' && { words: `Not judged: ${outcome.why}.` }) });
    if (outcome.kind === 'answered') onAnswer(outcome.answer);
  };
  const { texts, minor } = session.state;
  useEffect(() => {
    if (!atOnce || disabled) return undefined;
    const timer = setTimeout(() => void begin(), 300);
    return () => clearTimeout(timer);
  }, [texts, minor]);
  useEffect(() => () => void (shown.current = false), []);
  return (
    <>
      {state.isWaiting ? (
        <button type="button" onClick={() => judge.end('you stopped it')}>
          Stop
        </button>
      ) : (
        (!atOnce || state.words !== undefined) && (
          <button type="button" disabled={disabled} onClick={() => void begin()}>
            {words}
          </button>
        )
      )}
      <span role="status" class="muted">
        {state.isWaiting ? ` judging … ${state.words ?? ''}` : state.words}
      </span>
    </>
  );
}
