import { setTimeout } from 'node:timers/promises';
import type { Lab } from '../lab.ts';
import { processesOf, startFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import { bytesText, countText } from '../measure/figures.ts';
import { median } from '../measure/percentile.ts';
import { residentMb } from '../measure/resident-memory.ts';
import type { Chart } from '../result/chart.ts';
import type { Gate } from '../result/summary.ts';
import { pricedBatch } from '../workloads/priced-objects.ts';
import type { Experiment, Findings } from './experiment.ts';

const MINUTES = { quick: 0.05, full: 20 } as const;
const SAMPLE_MS = 1000;
const CLIENTS = 3;
/** Kinds of definitions in turn: what is kept by definition must be let go again. */
const KINDS = 400;
/** Growth from the second quarter of a run to its last that is no leak: what a heap's mood makes. */
const ROOM = { ratio: 1.15, mb: 30 } as const;

/** Does anything grow that should not? */
export const soak: Experiment = {
  name: 'soak',
  question: 'Does the memory of any process grow while work goes on and on?',
  async run(lab) {
    const systems: SoakFigures[] = [];
    const minutes = lab.of(MINUTES) / 2;
    const embedded = await startService();
    try {
      lab.say(`embedded, ${minutes} minutes`);
      systems.push(await soakSystem(lab, 'embedded', embedded, [['API and engine host', embedded.processId]], minutes));
    } finally {
      await embedded.stop();
    }
    const fleet = lab.thoroughness === 'full' ? await startFleet({}, { workers: 2, threads: 1 }) : undefined;
    if (fleet !== undefined) {
      try {
        lab.say(`over Redis, ${minutes} minutes`);
        systems.push(await soakSystem(lab, 'over Redis', fleet, processesOf(fleet), minutes));
      } finally {
        await fleet.stop();
      }
    }
    return findings(systems, minutes);
  },
};

/** One system that worked for long. */
interface SoakFigures {
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
    await setTimeout(SAMPLE_MS);
    const second = Math.round((performance.now() - started) / 1000);
    processes.forEach(([, id], i) => samples[i]?.samples.push({ second, mb: residentMb(id) }));
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

/** Medians of the second quarter and of the last one: the first quarter warms up. */
function growthOf(samples: readonly { readonly mb: number }[]): { readonly early: number; readonly late: number } {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const of = (from: number): number => median(samples.slice(from, from + quarter).map(({ mb }) => mb));
  return { early: of(quarter), late: of(Math.max(0, samples.length - quarter)) };
}

function findings(systems: readonly SoakFigures[], minutes: number): Findings {
  const growths = systems.flatMap(({ system, processes }) =>
    processes.map(({ name, samples }) => ({ name: `${system}: ${name}`, samples, ...growthOf(samples) })),
  );
  const most = growths.toSorted((a, b) => b.late / b.early - a.late / a.early)[0];
  const evaluations = systems.reduce((sum, system) => sum + system.evaluations, 0);
  return {
    finding:
      most === undefined
        ? 'Nothing was measured'
        : `Over ${countText(evaluations)} evaluations memory changed by at most ${Math.round(100 * (most.late / most.early - 1))} % from the second quarter to the last (${most.name}: ${most.early} to ${most.late} MB)`,
    charts: growths.every(({ samples }) => samples.length > 2) ? [memoryChart(growths, minutes)] : [],
    gates: [
      ...growths.map(({ name, early, late }): Gate => ({
        name: `${name}: memory`,
        measure: 'bytes',
        expected: `at most ${Math.round(Math.max(early * ROOM.ratio, early + ROOM.mb))} MB`,
        actual: `${late} MB`,
        holds: late <= Math.max(early * ROOM.ratio, early + ROOM.mb),
      })),
      ...systems.map(({ system, failures, evaluations: all }): Gate => ({
        name: `${system}: failed evaluations`,
        measure: 'verdicts',
        expected: '0',
        actual: `${failures} of ${all}`,
        holds: failures === 0,
      })),
    ],
    cells: growths.map(({ name, late }) => ({
      id: name,
      unit: 'bytes',
      samples: [late * 2 ** 20],
      statistic: 'median',
      value: late * 2 ** 20,
    })),
    notes: [
      `${minutes} minutes a system, ${CLIENTS} clients, ${KINDS} definitions in turn. Memory is resident memory of a process with its engine host, every second.`,
    ],
  };
}

function memoryChart(
  growths: readonly { readonly name: string; readonly samples: readonly { readonly second: number; readonly mb: number }[] }[],
  minutes: number,
): Chart {
  const largest = Math.max(...growths.flatMap(({ samples }) => samples.map(({ mb }) => mb)));
  return {
    kind: 'scaling',
    id: 'memory',
    title: `No process holds more than ${bytesText(largest * 2 ** 20)}`,
    subtitle: `Resident memory over ${minutes} minutes of mixed work, each process with its engine host. Both axes logarithmic: a leak would bend upwards at the right.`,
    x: { label: 'seconds', unit: 'count' },
    y: { label: 'resident memory', unit: 'bytes' },
    series: growths.map(({ name, samples }, i) => ({
      name,
      role: (['ours', 'reference', 'experiment', 'peer'] as const)[i % 4] ?? 'ours',
      points: thinned(samples).map(({ second, mb }) => ({ x: Math.max(1, second), y: mb * 2 ** 20 })),
    })),
    reading: 'What rises at the left is code that gets compiled and definitions that get known, up to the number that a thread keeps.',
    notShown: 'memory of Redis, whose keys expire an hour after their evaluation.',
  };
}

/** Some sixty of the samples: enough to see a bend. */
const thinned = <T>(samples: readonly T[]): T[] => samples.filter((_, i) => i % Math.max(1, Math.ceil(samples.length / 60)) === 0);
