import { WatchedWorker } from '../worker/watched-worker.ts';
import type { JudgeAnswers, JudgeAsk } from './judge-messages.ts';

/** The page's judge, in a worker of its own. */
export type JudgeClient = WatchedWorker<JudgeAsk, JudgeAnswers>;

/** Longest time of a judgement without a sign of life, ms: a rule that uses its whole budget takes one to three seconds. */
const SILENCE_MS = 12_000;

/** Starts a judge. */
export function startJudge(): JudgeClient {
  return new WatchedWorker(
    () => new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module', name: 'judge' }),
    SILENCE_MS,
  );
}
