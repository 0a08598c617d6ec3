import { writeJson } from '#go';
import { processesOf, startFleet } from '../load/start-fleet.ts';
import { streamLines } from '../load/stream-lines.ts';
import type { StreamedBody } from '../load/stream-lines.ts';
import type { Peak } from '../measure/peak-memory.ts';
import { countText, timeText } from '../measure/figures.ts';
import { equalGate } from '../result/equal-gate.ts';
import type { Chart } from '../result/chart.ts';
import { SMALL_DEFINITION, smallObject } from '../workloads/request-bodies.ts';
import type { Experiment, Findings } from './experiment.ts';

const OBJECTS = { quick: 10_000, full: 1_000_000 } as const;
const WORKERS = 3;
const LIMIT_MB = 700;
const LINES_PER_BLOCK = 200;

/** Does a batch that no process could hold pass through a fleet? */
export const bigBatch: Experiment = {
  name: 'big-batch',
  question: 'What does one batch of a million objects need in each process of a fleet over Redis?',
  async run(lab) {
    const fleet = await startFleet({}, { workers: WORKERS, threads: 1 });
    if (fleet === undefined) return { finding: 'Nothing was measured', notes: ['There is no redis-server on the path.'] };
    try {
      const objects = lab.of(OBJECTS);
      const processes = processesOf(fleet).map(([name, id]) => [`${name} and its engine host`, id] as const);
      return findings(objects, await streamLines(`${fleet.url}/evaluate?deadline=1h`, body(objects, lab.say), processes));
    } finally {
      await fleet.stop();
    }
  },
};

/** The envelope, then the objects, line by line. */
function* body(objects: number, say: (text: string) => void): Generator<string> {
  yield `{"definitions":[${writeJson(SMALL_DEFINITION)}]}\n`;
  for (let sent = 0; sent < objects; sent += LINES_PER_BLOCK) {
    if (sent > 0 && sent % Math.ceil(objects / 4) === 0) say(`${Math.round((100 * sent) / objects)} % sent`);
    yield Array.from({ length: Math.min(LINES_PER_BLOCK, objects - sent) }, (_, i) => `${smallObject(sent + i)}\n`).join('');
  }
}

function findings(objects: number, { seconds, peaks, lastLine }: StreamedBody): Findings {
  const accepted = Number(/"accepted":(\d+)/.exec(lastLine)?.[1] ?? 0);
  const most = peaks.toSorted((a, b) => b.peakMb - a.peakMb)[0];
  return {
    finding: `${countText(objects)} objects pass through ${WORKERS} workers in ${timeText(1000 * seconds)}, ${countText(Math.round(objects / seconds))} a second; no process needs more than ${most?.peakMb ?? 0} MB`,
    charts: peaks.every(({ peakMb }) => peakMb > 0) ? [memoryChart(peaks)] : [],
    gates: [
      equalGate('objects accepted', 'verdicts', objects, accepted),
      ...peaks.map(({ name, peakMb }) => ({
        name: `${name}: peak memory`,
        measure: 'bytes' as const,
        expected: `below ${LIMIT_MB} MB`,
        actual: `${peakMb} MB`,
        holds: peakMb < LIMIT_MB,
      })),
    ],
    cells: [
      { id: 'throughput', unit: 'per second', samples: [objects / seconds], statistic: 'median', value: objects / seconds, larger: true },
    ],
    notes: [
      'Memory is resident memory as the operating system tells it every 100 ms. Redis and the client that sends share the machine’s cores with the fleet.',
    ],
  };
}

function memoryChart(peaks: readonly Peak[]): Chart {
  return {
    kind: 'dots',
    id: 'memory',
    title: 'What a process needs does not follow from the size of the batch',
    subtitle: 'Resident memory of each process of the fleet before the batch, and the most while it streamed through.',
    x: { label: 'resident memory', unit: 'bytes' },
    rows: peaks.map(({ name, idleMb, peakMb }) => ({
      name,
      values: [
        { series: 'before', role: 'reference', value: idleMb * 2 ** 20 },
        { series: 'the most', role: 'ours', value: peakMb * 2 ** 20 },
      ],
    })),
    reading:
      'Of a stream only so many chunks are in hand at a time; further lines are not read before results went out. What is above the first mark are mostly heaps that V8 lets grow before it collects.',
    notShown: 'Redis itself, which holds the chunks in hand, compressed; and how memory moved over time (see soak).',
  };
}
