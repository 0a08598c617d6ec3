import { loadavg } from 'node:os';
import type { ExperimentResult } from '../result/summary.ts';
import { warmUp } from './warm-up.ts';

/** How quiet the machine was beside an experiment: ms of each probe in the order taken, the share of disturbed ones, the load average at the end. */
export type Noise = ExperimentResult['noise'];

const PROBES = 20;
const DISTURBED = 1.1;
const QUIET = 0.02;
const USABLE = 0.1;
const WARM_UP_MS = 1500;
let isWarm = false;

/** About 2 ms of integer work, always the same. */
function probe(): number {
  const started = performance.now();
  let sum = 0;
  for (let i = 0; i < 2_000_000; i++) sum = (sum * 31 + i) | 0;
  return performance.now() - started + (sum === 0.5 ? 1 : 0);
}

/** Takes probes now, some before and some after the work between which noise is asked for. */
export function probeNoise(): number[] {
  if (!isWarm) warmUp(probe, WARM_UP_MS);
  isWarm = true;
  return Array.from({ length: PROBES }, probe);
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
