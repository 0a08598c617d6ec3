import type { ClosedLoad } from '../../load/closed-load.ts';
import type { OpenLoad } from '../../load/open-load.ts';
import type { StreamedBody } from '../../load/stream-lines.ts';
import type { LatencySummary } from '../../measure/latencies.ts';
import type { BigBatchData } from '../big-batch.ts';
import type { CancellationData } from '../cancellation.ts';
import type { FairnessData } from '../fairness.ts';
import type { HttpData } from '../http.ts';
import type { CaseFigures } from '../../study/study.ts';
import type { ReplicasData } from '../replicas.ts';
import type { ScaleData } from '../scale.ts';
import type { System, SystemFigures } from '../replicas/system.ts';
import type { SoakData } from '../soak.ts';
import type { StreamData } from '../stream-memory.ts';
import type { WhatIfData } from '../what-if-memory.ts';
import type { Synthesis } from './synthesis.ts';

function latencies(s: Synthesis): LatencySummary {
  const [p50, p90, p99] = [s.samples(1, 1)[0], s.samples(10, 1)[0], s.samples(100, 1)[0]];
  const curve = (
    [
      [50, p50],
      [90, p90],
      [99, p99],
    ] as const
  ).flatMap(([percent, ms]) => (ms === undefined ? [] : [[percent, ms] as const]));
  const told = { p50: p50 ?? null, p90: p90 ?? null, p99: p99 ?? null, p999: null };
  return { ...told, samples: 1000 * curve.length, max: p99, p99Interval: p99 === undefined ? null : [p99, p99], curve };
}

function closedLoad(s: Synthesis): ClosedLoad {
  return { requests: 500, failures: 0, requestsPerSecond: s.figure(1000), latencies: latencies(s) };
}

function openLoad(s: Synthesis, rate: number): OpenLoad {
  const told = s.maybe(latencies(s));
  const counts = { due: 400, dropped: 0, late: 0, answered: 400, throttled: 0, non2xx: 0, unexpected: 0, errors: 0 };
  return { rate, ...counts, latencies: told ?? { refused: 'the client was too busy' }, slowest: [] };
}

function streamed(s: Synthesis, names: readonly string[], lastLine: string): StreamedBody {
  const peaks = names.map((name) => {
    const [idle, peak, distinct] = [s.figure(10), s.figure(30), s.figure(20)].map(Math.round);
    return { name, idleMb: s.maybe(idle), peakMb: s.maybe(peak), distinctPeakMb: s.maybe(distinct) };
  });
  return { bytes: s.figure(1e8), seconds: s.figure(1), peaks, lastLine };
}

/** Figures of a system under closed load; nothing was sent in no round. */
function loadCase(s: Synthesis, line: string, size: number): CaseFigures {
  const rate = s.samples(1000 * Math.sqrt(size));
  const request = rate.length === 0 ? [] : s.samples(Math.sqrt(size));
  return { line, size, rates: { rate }, times: { request }, facts: { bytes: 300 * size, sent: 100 * rate.length, failed: 0 } };
}

/** Data of the experiment batch-size. */
export const batchSizeData = (s: Synthesis): CaseFigures[] => [1, 10, 100, 1000, 10_000].map((objects) => loadCase(s, 'embedded', objects));

/** Data of the experiment big-batch. */
export const bigBatchData = (s: Synthesis): BigBatchData => ({
  objects: 10_000,
  streamed: s.maybe(streamed(s, ['API', 'worker 1', 'worker 2', 'worker 3'], '{"accepted":10000}')),
});

/** Data of the experiment stream-memory. */
export const streamMemoryData = (s: Synthesis): StreamData => ({
  sent: 64_000,
  streamed: s.maybe(streamed(s, ['API'], '{"items":64000}')),
});

/** Data of the experiment what-if-memory. */
export function whatIfMemoryData(s: Synthesis): WhatIfData {
  const { seconds, peaks } = streamed(s, ['API'], '');
  const causes = s.some([{ cause: { field: 'spec.size' }, objects: 2000, brokenOnUpdate: 2000 }], (cause) => cause);
  const effects = {
    brokenOnUpdate: 2000,
    breaksOnNextChange: 0,
    savedByRatcheting: 4000,
    storedDifferently: 2000,
    unaffected: 12_000,
    mended: 0,
    invalidBefore: 0,
    notJudged: 0,
  };
  const impact = { effects, causes, objects: 20_000, costBefore: 5, costAfter: 9 };
  return { objects: 20_000, streamed: s.maybe({ seconds, peaks, answer: { complete: true, impact } }) };
}

/** Data of the experiment cancellation. */
export function cancellationData(s: Synthesis): CancellationData {
  const kinds = ['deep equality', 'one long list', 'pattern in a rule', 'parse and walk of 3 MB'];
  return {
    kinds: s.some(kinds, (name) => ({ name, times: s.samples(1) })),
    stops: s.some(['DELETE', 'hang-up'], (name) => {
      const times = s.samples(10);
      return { name, samples: times.length, times, cancelled: name === 'DELETE' ? times.length : undefined };
    }),
    deadlines: s.samples(600).map((ms) => ({ ms, items: 7, judged: 1, tooLate: 6 })),
  };
}

/** Data of the experiment fairness. */
export function fairnessData(s: Synthesis): FairnessData {
  const share = () => s.maybe({ a: s.figure(1000), b: s.figure(1000), backlogged: true });
  return ['embedded', 'one node over Redis'].map((mode) => {
    const seen = { alone: s.samples(1), under: s.samples(10), batch: s.maybe('running, 5 of 400 chunks') };
    return { mode, seen: s.maybe({ ...seen, shares: share(), surprised: share(), failures: [] }) };
  });
}

/** Data of the experiment http. */
export function httpData(s: Synthesis): HttpData {
  const bodies = [
    { name: 'one small object', bytes: 2000 },
    { name: 'list 30k × 100 B', bytes: 3_000_000 },
  ];
  const figures = s.some(bodies, (body) => {
    const [assay, bare] = [s.samples(1000), s.samples(2000)];
    const open = s.some([0.1, 0.5, 0.8], (share) => ({ share, load: openLoad(s, share * s.figure(1000)) }));
    return {
      body,
      connections: 8,
      assay,
      bare,
      closed: assay
        .map(() => undefined)
        .slice(-1)
        .map(() => closedLoad(s)),
      open,
    };
  });
  const notReached = bodies.filter(({ name }) => !figures.some(({ body }) => body.name === name)).map(({ name }) => name);
  const peer = s.maybe({ perSecond: s.figure(100), p50Ms: 5, connections: 8 }) ?? 'only in full runs';
  return { figures, notReached, peer, traces: [] };
}

/** Data of the experiment replicas. */
export function replicasData(s: Synthesis): ReplicasData {
  const engine = s.maybe({ perSecond: s.figure(50_000), cost: 4200, accepted: 600 });
  const systems: readonly System[] = [
    { name: '1 thread', kind: 'embedded', slots: 1, url: '' },
    { name: '2 threads', kind: 'embedded', slots: 2, url: '' },
    { name: '1 node over Redis', kind: 'over Redis', slots: 1, url: '' },
    { name: '2 nodes over Redis', kind: 'over Redis', slots: 2, url: '' },
  ];
  const figures = s.some(systems, (system): SystemFigures => {
    return {
      system,
      cases: [1, 1000].map((batch) => loadCase(s, system.name, batch)),
      verdicts: { digest: 'abc', cost: 4200, accepted: 600 },
    };
  });
  const saturations = s.some(systems.slice(1, 2), (system) => ({
    system,
    loads: s.some([0.3, 0.6, 0.9], (share) => openLoad(s, share * s.figure(1000))),
  }));
  const notReached = systems.filter((system) => !figures.some((one) => one.system === system)).map(({ name }) => name);
  return { engine, figures, notReached, saturations, traces: [], why: undefined };
}

/** Data of the experiment scale. */
export function scaleData(s: Synthesis): ScaleData {
  const batches = [1, 250];
  const cases = ['embedded', '1 node over Redis'].flatMap((system) => batches.map((batch) => ({ system, nodes: 1, batch })));
  const demands = s.some(cases, (one) => ({
    ...one,
    demands: {
      node: s.figure(0.5),
      engine: s.figure(0.5),
      redis: s.figure(0.1),
      client: s.figure(0.1),
      delay: s.figure(0.2),
      redisCommands: s.figure(10),
    },
  }));
  const rates = s.some(cases, (one) => ({ ...one, perSecond: s.samples(1000), cores: 2, busyCores: s.figure(1) }));
  const names = cases.filter(({ system, batch }) => !rates.some((rate) => rate.system === system && rate.batch === batch));
  return { demands, rates, notReached: names.map(({ system, batch }) => `${system} of ${batch}`), seed: 1 };
}

/** Data of the experiment soak. */
export function soakData(s: Synthesis): SoakData {
  const systems = s.some(['embedded', 'over Redis'], (system) => ({
    system,
    evaluations: 5000,
    failures: 0,
    processes: ['API', 'worker 1'].map((name) => ({
      name,
      samples: s.samples(100, 40).map((mb, second) => ({ second: second + 1, mb: Math.round(mb) })),
    })),
  }));
  const notReached = ['embedded', 'over Redis'].filter((name) => !systems.some(({ system }) => system === name));
  return { minutes: 10, systems, notReached };
}

/** Data of the experiment tracing. */
export const tracingData = (s: Synthesis): CaseFigures[] => ['off', '10 %', '100 %'].map((line) => loadCase(s, line, 1));
