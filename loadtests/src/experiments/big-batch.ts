import { writeJson } from '#go';
import { countText, megabytesText, timeText } from '#charts';
import type { Chart } from '#charts';
import { nodesOf, startFleet } from '../load/start-fleet.ts';
import type { StreamedBody } from '../load/stream-lines.ts';
import { streamObjects } from '../load/stream-objects.ts';
import type { Peak } from '../measure/peak-memory.ts';
import { extent, quotient } from '../measure/quotient.ts';
import { boundGate, equalGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import { SMALL_DEFINITION, smallObject } from '../workloads/request-bodies.ts';
import type { Experiment, Findings } from './experiment.ts';

const OBJECTS = { quick: 10_000, full: 1_000_000 } as const;
const NODES = 3;
const LIMIT_MB = 700;

/** A batch of so many objects, and what it needed; undefined where it was not sent, and why if there is a reason beside the end of the lab. */
export interface BigBatchData {
  readonly objects: number;
  readonly streamed: StreamedBody | undefined;
  readonly why?: string;
}

/** Does a batch that no process could hold pass through a fleet? */
export const bigBatch: Experiment<BigBatchData> = {
  name: 'big-batch',
  question: 'What does one batch of a million objects need in each process of a fleet over Redis?',
  async measure(lab) {
    const objects = lab.of(OBJECTS);
    const fleet = await startFleet({}, { nodes: NODES, threads: 1 });
    if (fleet === undefined) return { objects, streamed: undefined, why: 'There is no redis-server on the path.' };
    const processes = nodesOf(fleet).map(([name, id]) => [`${name} and its engine host`, id] as const);
    const stream = { path: '/evaluate', envelope: `{"definitions":[${writeJson(SMALL_DEFINITION)}]}`, objects, line: smallObject };
    return { objects, streamed: await streamObjects(lab, fleet, stream, processes) };
  },
  findings,
};

function findings({ objects, streamed, why }: BigBatchData): Findings {
  if (streamed === undefined)
    return { finding: sentence([]), gates: [equalGate('objects accepted', 'verdicts', objects, undefined)], ...(why && { notes: [why] }) };
  const { seconds, peaks, lastLine } = streamed;
  const memory = extent(peaks.map(({ peakMb }) => peakMb));
  const rate = quotient(objects, seconds);
  return {
    finding: `${countText(objects)} objects pass through a fleet of ${NODES} nodes in ${timeText(1000 * seconds)}; objects a second: ${countText(rate)}; memory of the largest process: ${megabytesText(memory?.most)}`,
    charts: [memoryChart(peaks)],
    gates: [
      // An answer without a summary is one that accepted nothing.
      equalGate('objects accepted', 'verdicts', objects, /"accepted":(\d+)/.exec(lastLine)?.[1] ?? 'no summary in the answer'),
      ...peaks.map(({ name, peakMb }) => boundGate(`${name}: peak memory`, 'bytes', { figure: peakMb, most: LIMIT_MB, unit: 'MB' })),
    ],
    cells: medianCell({ id: 'throughput', unit: 'per second', samples: [rate], larger: true }),
    notes: [
      'Memory is resident memory as the operating system tells it every 100 ms. Redis and the client that sends share the machine’s cores with the fleet.',
    ],
  };
}

function memoryChart(peaks: readonly Peak[]): Chart {
  return {
    kind: 'dots',
    id: 'memory',
    title: 'What each process needs while the batch passes through',
    subtitle: 'Resident memory of each process of the fleet before the batch, and the most while it streamed through.',
    x: { label: 'resident memory', unit: 'bytes' },
    rows: peaks.map(({ name, idleMb, peakMb }) => ({
      name,
      values: [
        ...(idleMb === undefined ? [] : [{ series: 'before', role: 'reference' as const, value: idleMb * 2 ** 20 }]),
        ...(peakMb === undefined ? [] : [{ series: 'the most', role: 'assay' as const, value: peakMb * 2 ** 20 }]),
      ],
    })),
    reading:
      'The service works on a bounded number of chunks of a stream at a time, and reads further lines only when results have gone out. Most of what is above the first mark is heap that V8 lets grow before it collects.',
    notShown: 'Redis itself, which holds the chunks that are under way, compressed.',
  };
}
