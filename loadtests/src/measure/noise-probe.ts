import { loadavg } from 'node:os';
import { sampleRounds } from '#benchmark';
import type { ExperimentResult } from '../result/summary.ts';

/** The noise of the machine during an experiment: ms of each probe in order, the share of disturbed probes, the load average at the end. */
export type Noise = ExperimentResult['noise'];

/** Time for probes of 2 ms or so, ms. */
const PROBES_MS = 60;
const DISTURBED = 1.1;
const QUIET = 0.02;
const USABLE = 0.1;

/** Does always the same integer work, of about 2 ms. */
function probe(): void {
  let sum = 0;
  for (let i = 0; i < 2_000_000; i++) sum = (sum * 31 + i) | 0;
  if (sum === 0.5) throw new Error('integers');
}

/** Takes probes now, some before and some after the work between which noise is asked for. */
export function probeNoise(): readonly number[] {
  return sampleRounds([probe], { now: () => performance.now(), ms: PROBES_MS })[0] ?? [];
}

/** Judges probes, of which there is at least one: over 10 % disturbed ones make milliseconds worthless. */
export function noiseOf(samplesMs: readonly number[]): Noise {
  const best = Math.min(...samplesMs);
  const share = samplesMs.filter((ms) => ms > best * DISTURBED).length / samplesMs.length;
  return {
    samplesMs: [...samplesMs],
    share,
    verdict: share <= QUIET ? 'quiet' : share <= USABLE ? 'usable' : 'noisy',
    load: loadavg()[0] ?? 0,
  };
}
