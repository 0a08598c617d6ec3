import { loadavg } from 'node:os';
import { sampleRounds } from '#benchmark';
import type { ExperimentResult } from '../result/summary.ts';

/**
 * Noise of the machine during an experiment. It contains the times of all probes in ms in their order, the share of disturbed probes, and
 * the final load average. A probe is one repetition of a fixed piece of work. A probe is disturbed if it takes over 10 % longer than the
 * fastest.
 */
export type Noise = ExperimentResult['noise'];

/** Time in ms for a series of probes of about 2 ms each. */
const PROBES_MS = 60;
const DISTURBED = 1.1;
const QUIET = 0.02;
const USABLE = 0.1;

/** Does a fixed amount of integer work that takes about 2 ms. */
function probe(): void {
  let sum = 0;
  for (let i = 0; i < 2_000_000; i++) sum = (sum * 31 + i) | 0;
  if (sum === 0.5) throw new Error('integers');
}

/**
 * Measures a fixed piece of work several times (probes) and returns the times in ms. The caller does this before and after an experiment,
 * to determine the noise of the machine during the experiment.
 */
export function probeNoise(): readonly number[] {
  return sampleRounds([probe], { now: () => performance.now(), ms: PROBES_MS })[0] ?? [];
}

/**
 * Computes the noise from the times of at least one probe. A probe is disturbed if it takes over 10 % longer than the fastest. If more than
 * 10 % of the probes are disturbed, the experiment's times in ms are worthless.
 */
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
