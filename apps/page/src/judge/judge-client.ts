import { WatchedWorker } from '../worker/watched-worker.ts';
import type { JudgeAnswers, JudgeAsk } from './judge-messages.ts';

/** Client of the page's judge, which runs in its own worker. */
export type JudgeClient = WatchedWorker<JudgeAsk, JudgeAnswers>;

/** Longest time in ms without a sign of life from a judge. A rule that uses its whole budget takes one to three seconds. */
const SILENCE_MS = 12_000;

/** Starts a judge in a worker. */
export function startJudge(): JudgeClient {
  return new WatchedWorker(
    () => new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module', name: 'judge' }),
    SILENCE_MS,
  );
}
