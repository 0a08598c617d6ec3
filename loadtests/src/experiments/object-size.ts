import { validateObject } from '#crd';
import type { PhaseTimings } from '#crd';
import type { Lab, Thoroughness } from '../lab.ts';
import { bytesText, timeText } from '../measure/figures.ts';
import { growthOf } from '../measure/growth.ts';
import { median } from '../measure/percentile.ts';
import { warmUp } from '../measure/warm-up.ts';
import { equalGate } from '../result/equal-gate.ts';
import { compiled, timed } from '../workloads/judging.ts';
import { largeAppsBody, LARGE_APPS } from '../workloads/large-apps.ts';
import type { Experiment, Findings } from './experiment.ts';

const APPS: Readonly<Record<Thoroughness, readonly number[]>> = { quick: [5, 500, 5000], full: [5, 50, 500, 5000, 15_000] };
const ROUNDS = { quick: 7, full: 31 } as const;
const PHASES = ['parse', 'prune', 'openapi', 'lists', 'cel'] as const;
const PARTS = ['parse', 'prune + default', 'OpenAPI', 'list types', 'CEL'] as const;

/** What does a schema cost without any rule, as objects grow? */
export const objectSize: Experiment = {
  name: 'object-size',
  question: 'What does an object cost that has a schema and no rules, and how does that grow with its bytes?',
  async run(lab) {
    const figures: SizeFigures[] = [];
    for await (const apps of lab.each(lab.of(APPS))) {
      lab.say(`${apps} structures`);
      figures.push(measure(lab, apps));
    }
    return findings(figures);
  },
};

interface SizeFigures {
  readonly bytes: number;
  readonly whole: readonly number[];
  readonly parse: readonly number[];
  readonly phases: Readonly<Record<(typeof PHASES)[number], readonly number[]>>;
  readonly accepted: boolean;
}

function measure(lab: Lab, apps: number): SizeFigures {
  const definition = compiled(LARGE_APPS);
  const body = largeAppsBody(apps);
  const text = body.toString();
  const judge = (): { phases: PhaseTimings; accepted: boolean } => {
    const verdict = validateObject(
      definition,
      { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn' },
      { timings: true },
    );
    if ('cancelled' in verdict || verdict.phases === undefined) throw new Error('the experiment was cancelled');
    return { phases: verdict.phases, accepted: verdict.accepted };
  };
  warmUp(() => void judge(), 500);
  const rounds = Array.from({ length: lab.of(ROUNDS) }, () => ({
    ...timed(judge),
    parseMs: timed(() => JSON.parse(text) as unknown).ms,
  }));
  const phase = (name: (typeof PHASES)[number]): number[] => rounds.map(({ value }) => value.phases[name]);
  return {
    bytes: body.length,
    whole: rounds.map(({ ms }) => ms),
    parse: rounds.map(({ parseMs }) => parseMs),
    phases: { parse: phase('parse'), prune: phase('prune'), openapi: phase('openapi'), lists: phase('lists'), cel: phase('cel') },
    accepted: rounds.every(({ value }) => value.accepted),
  };
}

function findings(figures: readonly SizeFigures[]): Findings {
  const growth = growthOf(figures.map(({ bytes, whole }) => ({ x: bytes, y: median(whole) })));
  const largest = figures.at(-1);
  const mbPerSecond = largest === undefined ? Number.NaN : largest.bytes / 2 ** 20 / (median(largest.whole) / 1000);
  const times = figures.map(({ whole, parse }) => median(whole) / median(parse));
  return {
    finding: `Without rules, ${bytesText(largest?.bytes ?? 0)} are judged in ${timeText(median(largest?.whole ?? []))} (${mbPerSecond.toFixed(0)} MiB/s), ${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)} times what JSON.parse takes`,
    charts: [
      {
        kind: 'scaling',
        id: 'growth',
        title: `Time grows with n^${(growth?.last ?? Number.NaN).toFixed(2)} of the bytes`,
        subtitle:
          'A list of structures with names, images, labels, ports: patterns, bounds, enums and a default. Bytes to verdict, median of the rounds.',
        x: { label: 'bytes of the object', unit: 'bytes' },
        y: { label: 'time', unit: 'ms' },
        series: [
          { name: 'bytes to verdict', role: 'ours', points: figures.map(({ bytes, whole }) => ({ x: bytes, y: median(whole) })) },
          { name: 'JSON.parse alone', role: 'reference', points: figures.map(({ bytes, parse }) => ({ x: bytes, y: median(parse) })) },
        ],
        reading: 'JSON.parse neither tells 1 from 1.0 nor finds duplicate keys, so it is a floor and not a rival.',
        notShown: 'HTTP, and how long an object waits for a thread.',
      },
      {
        kind: 'shares',
        id: 'phases',
        title: 'Reading and pruning take most of it',
        subtitle: 'By phase, median of the rounds.',
        unit: 'ms',
        parts: [...PARTS],
        rows: figures.map(({ bytes, phases }) => ({
          group: 'ours',
          name: bytesText(bytes),
          values: PHASES.map((phase) => median(phases[phase])),
        })),
        reading: 'Bars have equal length, since totals differ; totals stand at the right.',
        notShown: 'what a phase does: see docs/architecture.md.',
      },
    ],
    gates: figures.map(({ bytes, accepted }) =>
      equalGate(`${bytes} bytes: verdict`, 'verdicts', 'accepted', accepted ? 'accepted' : 'rejected'),
    ),
    cells: figures.flatMap(({ bytes, whole, parse }) =>
      Object.entries({ whole, 'JSON.parse': parse }).map(([what, samples]) => ({
        id: `${bytes} bytes/${what}`,
        unit: 'ms' as const,
        samples: [...samples],
        statistic: 'median' as const,
        value: median(samples),
      })),
    ),
  };
}
