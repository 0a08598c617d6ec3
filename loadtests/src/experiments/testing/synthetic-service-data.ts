import type { CaseFigures } from '../../study/study.ts';
import { DEADLINE_LINE, STOP_LINES } from '../cancellation.ts';
import * as fairness from '../fairness.ts';
import * as http from '../http.ts';
import { memory } from '../memory.ts';
import { ENGINE, openLine } from '../replicas.ts';
import { COMPARED_ITEMS, comparedLine, SYSTEMS } from '../replicas/system.ts';
import { KNOWN_GROWTH } from '../real-server/known-growth.ts';
import { KEP_LISTS } from '../../workloads/list-workload.ts';
import { made } from './made-cases.ts';
import type { CaseToMake } from './made-cases.ts';
import type { Synthesis } from './synthesis.ts';

const PERCENTILES = { p50: 1, p90: 10, p99: 100, max: 1000 };

/** Returns a case of a system under closed load. */
const closed = (line: string, size: number): CaseToMake => ({
  line,
  size,
  rates: { rate: 1000 * Math.sqrt(size) },
  times: { request: Math.sqrt(size) },
  facts: { bytes: 300 * size, sent: 1200, failed: 0 },
  scales: PERCENTILES,
});

/** Returns cases of a system under open load, with request rates at some shares of the rate at which the system is saturated. */
const open = (line: string): CaseToMake[] =>
  [0.1, 0.5, 0.8].map((share) => ({
    line,
    size: 1000 * share,
    facts: { share, sent: 400, failed: 0, answered: 400, throttled: 0 },
    scales: PERCENTILES,
  }));

/** Returns data of the experiment batch-size. */
export const batchSizeData = (s: Synthesis): CaseFigures[] =>
  made(
    s,
    [1, 10, 100, 1000, 10_000].map((objects) => closed('embedded', objects)),
  );

/** Returns data of the experiment tracing. */
export const tracingData = (s: Synthesis): CaseFigures[] =>
  made(
    s,
    ['off', '10 %', '100 %'].map((line) => closed(line, 1)),
  );

/** Returns data of the experiment memory. */
export const memoryData = (s: Synthesis): CaseFigures[] =>
  made(
    s,
    memory.lines.flatMap(({ name, sizes, expected }) =>
      sizes.quick.map((size) => ({
        line: name,
        size,
        times: { whole: 0.01 * size },
        facts: { bytes: 300 * size, ...expected?.(size) },
        scales: { idle: 1e7, peak: 3e7 },
      })),
    ),
  );

/** Returns data of the experiment cancellation. */
export const cancellationData = (s: Synthesis): CaseFigures[] =>
  made(s, [
    ...STOP_LINES.map((line) => ({
      line,
      size: 1,
      times: { stop: 1 },
      ...(line === 'DELETE' && { facts: { stops: 12, cancelled: 12 } }),
    })),
    { line: DEADLINE_LINE, size: 2, times: { stop: 10 }, facts: { items: 84, judged: 12, tooLate: 72 } },
  ]);

/** Returns data of the experiment fairness. */
export const fairnessData = (s: Synthesis): CaseFigures[] =>
  made(
    s,
    fairness.MODES.flatMap((mode) => {
      const facts = { wrong: fairness.NOTHING_WRONG };
      const load = (name: string, more: Partial<CaseToMake>): CaseToMake => ({
        line: fairness.lineOf(mode, name),
        size: 1,
        facts,
        ...more,
      });
      const shares = { facts: { ...facts, backlogged: 'both' }, scales: { a: 1000, b: 1000 } };
      return [
        load(fairness.ALONE, { times: { answer: 1 } }),
        load(fairness.UNDER, { times: { answer: 10 }, facts: { ...facts, batch: 'running, 5 of 400 chunks' } }),
        load(fairness.SHARES, shares),
        load(fairness.SURPRISED, shares),
      ];
    }),
  );

/** Returns data of the experiment http. */
export const httpData = (s: Synthesis): CaseFigures[] =>
  made(s, [
    ...['one small object', 'list 30k × 100 B'].flatMap((body) => [
      closed(http.lineOf(body, http.ASSAY), 1),
      closed(http.lineOf(body, http.BARE), 1),
      ...open(http.lineOf(body, http.OPEN)),
    ]),
    { line: http.lineOf('one small object', http.PEER), size: 1, rates: { rate: 100 } },
  ]);

/** Returns data of the experiment replicas. */
export function replicasData(s: Synthesis): CaseFigures[] {
  const verdicts = { cost: 4200, accepted: COMPARED_ITEMS };
  return made(s, [
    { line: ENGINE, size: COMPARED_ITEMS, rates: { rate: 50_000 }, facts: verdicts },
    ...SYSTEMS.quick.flatMap(({ name }) => [
      ...[1, 1000].map((batch) => closed(name, batch)),
      { line: comparedLine(name), size: COMPARED_ITEMS, facts: { ...verdicts, digest: 'abc' } },
    ]),
    ...open(openLine('2 threads')),
  ]);
}

/**
 * Returns data of the experiment real-server. The time without the rule is so short that the difference has the digits of the time with the rule.
 */
export const realServerData = (s: Synthesis): CaseFigures[] =>
  made(
    s,
    [
      ...KEP_LISTS.map(({ name, elements }) => ({ name, size: elements })),
      ...KNOWN_GROWTH.flatMap(({ name, sizes }) => sizes.full.map((size) => ({ name, size }))),
    ].map(({ name, size }): CaseToMake => ({
      line: name,
      size,
      times: { without: 0.001, with: 1000, added: 100, assay: 1 },
      facts: { bytes: 3_000_000, cost: 5 * size, verdict: 'accepted', server: 'accepted' },
    })),
  );
