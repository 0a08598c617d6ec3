import { setTimeout } from 'node:timers/promises';
import { bytesText, countedText, timeText } from '#charts';
import type { Chart } from '#charts';
import type { Lab } from '../lab.ts';
import { nodesOf, startFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import { median } from '#benchmark';
import { extent, measured, quotient } from '../measure/quotient.ts';
import { residentMb } from '../measure/resident-memory.ts';
import { gate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { missing, sentence } from '../result/sentence.ts';
import type { Gate } from '../result/summary.ts';
import { pricedBatch } from '../workloads/priced-objects.ts';
import type { Experiment, Findings } from './experiment.ts';

const MINUTES = { quick: 0.05, full: 20 } as const;
const SAMPLE_MS = { quick: 100, full: 1000 } as const;
const EMBEDDED = 'embedded';
const OVER_REDIS = 'over Redis';
/** Below this many samples a quarter of a run says nothing. */
const FEWEST_SAMPLES = 8;
const CLIENTS = 3;
/** Kinds of definitions in turn: what is kept by definition must be let go again. */
const KINDS = 400;
/** Growth from the second quarter of a run to its last that is no leak: a heap grows and shrinks by as much. */
const ROOM = { ratio: 1.15, mb: 30 } as const;

/** Systems that worked for so many minutes each; those that were not reached are named. */
export interface SoakData {
  readonly minutes: number;
  readonly systems: readonly SoakFigures[];
  readonly notReached: readonly string[];
}

/** Does anything grow that should not? */
export const soak: Experiment<SoakData> = {
  name: 'soak',
  question: 'Does the memory of any process grow while work goes on and on?',
  async measure(lab) {
    const systems: SoakFigures[] = [];
    const minutes = lab.of(MINUTES) / 2;
    const kinds = lab.of<readonly string[]>({ quick: [EMBEDDED], full: [EMBEDDED, OVER_REDIS] });
    for await (const kind of lab.each(kinds)) {
      const fleet = kind === OVER_REDIS ? await startFleet({}, { nodes: 2, threads: 1 }) : undefined;
      if (kind === OVER_REDIS && fleet === undefined) continue;
      const service = fleet ?? (await startService());
      try {
        lab.say(`${kind}, ${timeText(60_000 * minutes)}`);
        const processes: [string, number][] = fleet ? nodesOf(fleet) : [['API and engine host', service.processId]];
        systems.push(await soakSystem(lab, kind, service, processes, minutes));
      } finally {
        await service.stop();
      }
    }
    return { minutes, systems, notReached: kinds.filter((kind) => !systems.some(({ system }) => system === kind)) };
  },
  findings,
};

/** One system that worked for long; a process whose memory was not told has no samples. */
export interface SoakFigures {
  readonly system: string;
  readonly evaluations: number;
  readonly failures: number;
  readonly processes: readonly { readonly name: string; readonly samples: readonly { readonly second: number; readonly mb: number }[] }[];
}

async function soakSystem(
  lab: Lab,
  system: string,
  { url }: Service,
  processes: readonly (readonly [name: string, processId: number])[],
  minutes: number,
): Promise<SoakFigures> {
  const samples = processes.map(([name]) => ({ name, samples: [] as { second: number; mb: number }[] }));
  const started = performance.now();
  const until = started + minutes * 60_000;
  const over = (): boolean => performance.now() > until || lab.signal.aborted;
  const counts = { evaluations: 0, failures: 0 };
  const clients = Array.from({ length: CLIENTS }, async (_, number) => {
    for (let turn = number; !over(); turn += CLIENTS) await evaluateOnce(url, turn, counts);
  });
  while (!over()) {
    await setTimeout(lab.of(SAMPLE_MS));
    const second = (performance.now() - started) / 1000;
    processes.forEach(([, id], i) => {
      const mb = residentMb(id);
      if (mb !== undefined) samples[i]?.samples.push({ second, mb });
    });
  }
  await Promise.all(clients);
  return { system, ...counts, processes: samples };
}

/** Mixed work: small batches, large ones, background ones that are cancelled, and definitions that were not seen for long. */
async function evaluateOnce(url: string, turn: number, counts: { evaluations: number; failures: number }): Promise<void> {
  const kind = `Kind${turn % KINDS}`;
  const [objects, length] = [[1, 5] as const, [40, 20] as const, [300, 5] as const, [5, 120] as const][turn % 4] ?? [1, 5];
  const background = turn % 9 === 8;
  const answer = await fetch(`${url}/evaluate${background ? '?wait=0' : ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: pricedBatch(kind, objects, length),
  }).catch(() => undefined);
  counts.evaluations += 1;
  if (answer?.ok !== true) counts.failures += 1;
  await answer?.text();
  if (background && answer !== undefined)
    await fetch(`${url}${answer.headers.get('location') ?? ''}`, { method: 'DELETE' }).catch(() => undefined);
}

/** Memory of one process over a run, MB. */
interface MemoryGrowth {
  readonly name: string;
  readonly samples: readonly { readonly second: number; readonly mb: number }[];
  /** Medians of the second quarter and of the last one, because the first quarter warms up; undefined for too few samples. */
  readonly change: { readonly early: number; readonly late: number } | undefined;
}

function growthOf(name: string, samples: MemoryGrowth['samples']): MemoryGrowth {
  const quarter = Math.floor(samples.length / 4);
  const of = (from: number): number | undefined => median(samples.slice(from, from + quarter).map(({ mb }) => mb));
  const [early, late] = [of(quarter), of(samples.length - quarter)];
  const enough = samples.length >= FEWEST_SAMPLES && early !== undefined && late !== undefined;
  return { name, samples, change: enough ? { early, late } : undefined };
}

function findings({ minutes, systems, notReached }: SoakData): Findings {
  const growths = systems.flatMap(({ system, processes }) => processes.map(({ name, samples }) => growthOf(`${system}: ${name}`, samples)));
  const most = measured(growths, ({ change }) => quotient(change?.late, change?.early)).toSorted((a, b) => b.value - a.value)[0];
  const evaluations = systems.reduce((sum, system) => sum + system.evaluations, 0);
  const { name = '', change } = most?.item ?? {};
  return {
    finding: sentence([
      most && change
        ? `over ${countedText(evaluations, 'evaluation')} memory changed by at most ${Math.round(100 * (most.value - 1))} % from the second quarter to the last (${name}: ${change.early} to ${change.late} MB)`
        : undefined,
      missing([...notReached, ...growths.filter(({ change: known }) => known === undefined).map((one) => one.name)]),
    ]),
    charts: memoryChart(growths, minutes),
    gates: [
      ...growths.map(({ name: process, change: known }): Gate => {
        const bound = known && Math.max(known.early * ROOM.ratio, known.early + ROOM.mb);
        return gate(
          {
            name: `${process}: memory`,
            measure: 'bytes',
            expected: bound === undefined ? 'no more than it had' : `at most ${Math.round(bound)} MB`,
            actual: known && `${known.late} MB`,
          },
          () => known !== undefined && bound !== undefined && known.late <= bound,
        );
      }),
      ...systems.map(({ system, failures, evaluations: all }) =>
        gate(
          {
            name: `${system}: failed evaluations`,
            measure: 'verdicts',
            expected: '0',
            actual: all === 0 ? undefined : `${failures} of ${all}`,
          },
          () => failures === 0,
        ),
      ),
    ],
    cells: growths.flatMap(({ name: id, change: known }) =>
      medianCell({ id, unit: 'bytes', samples: known ? [known.late * 2 ** 20] : [] }),
    ),
    notes: [
      `${timeText(60_000 * minutes)} a system, ${CLIENTS} clients, ${KINDS} definitions in turn. Memory is resident memory of a process with its engine host.`,
    ],
  };
}

function memoryChart(growths: readonly MemoryGrowth[], minutes: number): Chart[] {
  const largest = extent(growths.flatMap(({ samples }) => samples.map(({ mb }) => mb)));
  if (largest === undefined) return [];
  return [
    {
      kind: 'scaling',
      id: 'memory',
      title: `No process holds more than ${bytesText(largest.most * 2 ** 20)}`,
      subtitle: `Resident memory over ${timeText(60_000 * minutes)} of mixed work, each process with its engine host. Both axes logarithmic: a leak would bend upwards at the right.`,
      x: { label: 'seconds', unit: 'count' },
      y: { label: 'resident memory', unit: 'bytes' },
      series: growths.map(({ name, samples }, i) => ({
        name,
        role: (['assay', 'reference', 'experiment', 'peer'] as const)[i % 4] ?? 'assay',
        points: thinned(samples).map(({ second, mb }) => ({ x: Math.max(0.1, second), y: mb * 2 ** 20 })),
      })),
      reading: 'Memory rises at the left while code is compiled and definitions are learnt, up to the number that a thread keeps.',
      notShown: 'memory of Redis, whose keys expire an hour after their evaluation.',
    },
  ];
}

/** Some sixty of the samples: enough to see a bend. */
const thinned = <T>(samples: readonly T[]): T[] => samples.filter((_, i) => i % Math.max(1, Math.ceil(samples.length / 60)) === 0);
