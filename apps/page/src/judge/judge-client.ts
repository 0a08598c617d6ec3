import { WatchedWorker } from '../worker/watched-worker.ts';
import type { JudgeAnswers, JudgeAsk } from './judge-messages.ts';

/** Client of the page's worker that computes verdicts. */
export type JudgeClient = WatchedWorker<JudgeAsk, JudgeAnswers>;

/**
 * Longest time in ms without a message from the worker that computes verdicts. A rule that uses its whole cost budget takes one to three
 * seconds.
 */
const SILENCE_MS = 12_000;

/** Starts the worker that computes verdicts, and returns its client. */
export function startJudge(): JudgeClient {
  return new WatchedWorker(
    () => new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module', name: 'judge' }),
    SILENCE_MS,
  );
}
