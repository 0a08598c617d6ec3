import { useEffect, useRef, useState } from 'preact/hooks';
import type { JudgeAnswers, JudgeAsk } from '../judge/judge-client.ts';
import type { PageSession } from '../state/page-session.ts';

/** State of a request that a view repeats after each edit. */
export interface RepeatedRequest<One extends JudgeAsk> {
  /** Last answer, with the request that it answers. While a new answer is computed, it belongs to earlier texts. Absent after a failure. */
  readonly last?: { readonly ask: One; readonly answer: JudgeAnswers[One['kind']] };
  /** True from an edit until the new answer. */
  readonly isWaiting: boolean;
  /** Number of finished steps, and number of all steps, of a long computation. */
  readonly progress?: { readonly done: number; readonly of: number };
  /** Reason why the last request has no answer. */
  readonly why?: string;
}

/** Rules for sending a request again. */
interface Repeating {
  /** Values of the page. The request is sent again if one of them changes. */
  readonly after: readonly unknown[];
  /** Time in ms between a change and the request. */
  readonly pauseMs: number;
}

/**
 * Hook that sends the request `ask` to the page's second worker, which computes everything except the main verdict. It sends the request
 * when the view opens, and again if a value in `after` changes. A change or the end of the view stops the earlier request. If `ask` is
 * undefined, nothing is sent. Returns the state of the request, and the function `repeat`, which sends the request at once.
 */
export function useAnswer<One extends JudgeAsk>(
  session: PageSession,
  ask: One | undefined,
  { after, pauseMs }: Repeating,
): RepeatedRequest<One> & { readonly repeat: () => void } {
  const [state, setState] = useState<RepeatedRequest<One>>({ isWaiting: ask !== undefined });
  const stop = useRef<(() => void) | undefined>(undefined);
  const begin = (ms: number): void => {
    stop.current?.();
    if (ask === undefined) return;
    setState(({ last }) => ({ isWaiting: true, ...(last && { last }) }));
    stop.current = askAfter(session, ask, { ms, onState: setState });
  };
  useEffect(() => {
    begin(pauseMs);
    return () => stop.current?.();
  }, after);
  return { ...state, repeat: () => begin(0) };
}

/** Sends a request after `ms` ms. Returns a function that stops the request, after which `onState` is not called again. */
function askAfter<One extends JudgeAsk>(
  session: PageSession,
  ask: One,
  { ms, onState }: { readonly ms: number; readonly onState: (next: (before: RepeatedRequest<One>) => RepeatedRequest<One>) => void },
): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const tell = (next: (before: RepeatedRequest<One>) => RepeatedRequest<One>): void => {
    if (!signal.aborted) onState(next);
  };
  const onProgress = (done: number, of: number): void => tell((before) => ({ ...before, progress: { done, of } }));
  const timer = setTimeout(() => {
    void session.besides.ask(ask, { signal, onProgress }).then((outcome) => {
      if (outcome.kind === 'answered') tell(() => ({ isWaiting: false, last: { ask, answer: outcome.answer } }));
      else tell(() => ({ isWaiting: false, why: outcome.kind === 'ended' ? outcome.why : 'it was stopped' }));
    });
  }, ms);
  return () => {
    clearTimeout(timer);
    abort.abort();
  };
}
