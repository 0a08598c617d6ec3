import { basename } from 'node:path';
import { z } from 'zod';

/** A place of code and the time that was spent in it itself, not in what it calls. */
export interface HotPlace {
  /** Function, file and line; or what V8 says of time outside of JavaScript, such as `(garbage collector)`. */
  readonly name: string;
  /** Sampled time, ms. */
  readonly ms: number;
}

/** What a thread did in a span of time, by its samples. */
export interface ThreadProfile {
  /** Time that was sampled as anything but idle, ms. */
  readonly busyMs: number;
  /** Hottest first. */
  readonly places: readonly HotPlace[];
}

/** A CPU profile as V8 writes it (Chrome DevTools Protocol, `Profiler.Profile`): times in µs of the monotonic clock. */
export const CpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  startTime: z.number(),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});
export type CpuProfile = z.output<typeof CpuProfile>;

const IDLE = '(idle)';

/** Adds up the samples that lie between two moments, µs of the monotonic clock (`process.hrtime`). */
export function summarizeProfile({ nodes, startTime, samples, timeDeltas }: CpuProfile, from: number, to: number): ThreadProfile {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, placeName(callFrame)]));
  const spent = new Map<string, number>();
  let [at, busyMs] = [startTime, 0];
  for (const [i, sample] of samples.entries()) {
    const delta = timeDeltas[i] ?? 0;
    at += delta;
    const name = names.get(sample) ?? '';
    if (at < from || at > to || name === IDLE) continue;
    spent.set(name, (spent.get(name) ?? 0) + delta / 1000);
    busyMs += delta / 1000;
  }
  const places = Array.from(spent, ([name, ms]): HotPlace => ({ name, ms })).toSorted((a, b) => b.ms - a.ms);
  return { busyMs, places };
}

function placeName({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `${name} ${basename(url)}:${lineNumber + 1}`;
}
