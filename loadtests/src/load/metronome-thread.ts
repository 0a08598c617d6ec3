import { parentPort, workerData } from 'node:worker_threads';
import { hrMilliseconds } from './hr-milliseconds.ts';

/** The settings of a metronome: a thread that sends a message at a fixed interval, for a given number of ticks. */
export interface Metronome {
  /** The time of the first tick, by the clock of `hrMilliseconds`. */
  readonly startsAt: number;
  readonly intervalMs: number;
  readonly ticks: number;
  /** Shared array with one element. Any value except 0 stops the metronome. */
  readonly stopped: Int32Array<SharedArrayBuffer>;
}

// A thread that waits on an atomic wakes within some tens of microseconds. Timers of an event loop only have a resolution of a millisecond.
const { startsAt, intervalMs, ticks, stopped } = workerData as Metronome;
for (let tick = 0; tick < ticks && Atomics.load(stopped, 0) === 0; tick++) {
  const wait = startsAt + tick * intervalMs - hrMilliseconds();
  if (wait > 0) Atomics.wait(stopped, 0, 0, wait);
  parentPort?.postMessage(tick);
}
