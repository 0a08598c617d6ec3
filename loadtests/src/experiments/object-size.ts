import { bytesText, growthText, plotted, rangeText, shareText, timeText } from '#charts';
import type { Chart } from '#charts';
import type { Lab, Choice } from '../lab.ts';
import { growthOf } from '../measure/growth.ts';
import { median } from '#benchmark';
import { extent, measured, quotient } from '../measure/quotient.ts';
import { warmUp } from '../measure/warm-up.ts';
import { equalGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import { compiled, judge, judgeExactly, timed } from '../workloads/judging.ts';
import { largeAppsBody, LARGE_APPS } from '../workloads/large-apps.ts';
import type { Experiment, Findings } from './experiment.ts';

const APPS: Choice<readonly number[]> = { quick: [5, 500, 5000], full: [5, 50, 500, 5000, 15_000] };
const ROUNDS = { quick: 7, full: 31 } as const;
const PHASES = ['parse', 'prune', 'openapi', 'lists', 'cel'] as const;
const PARTS = ['parse', 'prune + default', 'OpenAPI', 'list types', 'CEL'] as const;

/** Measures what a schema without rules costs as objects grow. */
export const objectSize: Experiment<readonly ObjectFigures[]> = {
  name: 'object-size',
  question: 'What does an object cost that has a schema and no rules, and how does that grow with its bytes?',
  async measure(lab) {
    const figures: ObjectFigures[] = [];
    for await (const apps of lab.each(lab.of(APPS))) {
      lab.say(`${apps} structures`);
      figures.push(measureObject(lab, apps));
    }
    return figures;
  },
  findings,
};

/** What was measured of an object of so many bytes; ms, a figure a round. */
export interface ObjectFigures {
  readonly bytes: number;
  /** Times of the product's own way, a generated reader. */
  readonly whole: readonly number[];
  /** Times of the exact way. */
  readonly exact: readonly number[];
  /** JSON.parse of the same bytes. */
  readonly parse: readonly number[];
  /** Steps of the exact way. */
  readonly phases: Readonly<Record<(typeof PHASES)[number], readonly number[]>>;
  readonly accepted: boolean;
}

function measureObject(lab: Lab, apps: number): ObjectFigures {
  const definition = compiled(LARGE_APPS);
  const body = largeAppsBody(apps);
  const text = body.toString();
  warmUp(() => void judge(definition, body), 500);
  warmUp(() => void judgeExactly(definition, body), 500);
  const rounds = Array.from({ length: lab.of(ROUNDS) }, () => ({
    whole: timed(() => judge(definition, body)),
    exact: timed(() => judgeExactly(definition, body)),
    parseMs: timed(() => JSON.parse(text) as unknown).ms,
  }));
  const phase = (name: (typeof PHASES)[number]): number[] => rounds.map(({ exact }) => exact.value.phases[name]);
  return {
    bytes: body.length,
    whole: rounds.map(({ whole }) => whole.ms),
    exact: rounds.map(({ exact }) => exact.ms),
    parse: rounds.map(({ parseMs }) => parseMs),
    phases: { parse: phase('parse'), prune: phase('prune'), openapi: phase('openapi'), lists: phase('lists'), cel: phase('cel') },
    accepted: rounds.every(({ whole, exact }) => whole.value.accepted && exact.value.accepted),
  };
}

function findings(figures: readonly ObjectFigures[]): Findings {
  const largest = measured(figures, ({ whole }) => median(whole)).at(-1);
  const speed = quotient(largest?.item.bytes, largest && largest.value / 1000);
  const times = extent(figures.map(({ whole, parse }) => quotient(median(whole), median(parse))));
  return {
    finding: sentence([
      largest &&
        `without rules, ${bytesText(largest.item.bytes)} are judged in ${timeText(largest.value)}${speed === undefined ? '' : ` (${bytesText(speed)}/s)`}`,
      times && `a write takes ${rangeText(times, (value) => value.toFixed(1))} times what JSON.parse takes`,
    ]),
    charts: [growthChart(figures), phasesChart(figures)],
    gates: figures.map(({ bytes, accepted, whole }) =>
      equalGate(`${bytes} bytes: verdict`, 'verdicts', 'accepted', whole.length === 0 ? undefined : accepted ? 'accepted' : 'rejected'),
    ),
    cells: figures.flatMap(({ bytes, whole, exact, parse }) =>
      Object.entries({ whole, exact, 'JSON.parse': parse }).flatMap(([what, samples]) =>
        medianCell({ id: `${bytes} bytes/${what}`, unit: 'ms', samples }),
      ),
    ),
  };
}

function growthChart(figures: readonly ObjectFigures[]): Chart {
  const whole = plotted(figures.map((one) => ({ x: one.bytes, y: median(one.whole) })));
  const growth = growthOf(whole);
  return {
    kind: 'scaling',
    id: 'growth',
    title: growth === undefined ? 'Time by bytes' : `Time grows with ${growthText(growth.last)} of the bytes`,
    subtitle:
      'A list of structures with names, images, labels, ports: patterns, bounds, enums and a default. Bytes to verdict, median of the rounds.',
    x: { label: 'bytes of the object', unit: 'bytes' },
    y: { label: 'time', unit: 'ms' },
    series: [
      { name: 'bytes to verdict', role: 'assay', points: whole },
      {
        name: 'bytes to verdict, exact way',
        role: 'experiment',
        points: plotted(figures.map(({ bytes, exact }) => ({ x: bytes, y: median(exact) }))),
      },
      { name: 'JSON.parse alone', role: 'reference', points: plotted(figures.map(({ bytes, parse }) => ({ x: bytes, y: median(parse) }))) },
    ],
    reading: 'JSON.parse neither distinguishes 1 from 1.0 nor finds duplicate keys, so it is a lower bound and not a rival.',
    notShown: 'HTTP, and how long an object waits for a thread.',
  };
}

function phasesChart(figures: readonly ObjectFigures[]): Chart {
  const rows = figures.flatMap(({ bytes, phases }) => {
    const values = PHASES.flatMap((phase) => median(phases[phase]) ?? []);
    return values.length < PHASES.length ? [] : [{ group: 'Assay', name: bytesText(bytes), values }];
  });
  const reading = rows.flatMap(
    ({ values: [parse = 0, prune = 0, ...rest] }) =>
      quotient(
        parse + prune,
        [parse, prune, ...rest].reduce((sum, ms) => sum + ms, 0),
      ) ?? [],
  );
  const share = extent(reading);
  return {
    kind: 'shares',
    id: 'phases',
    title: share === undefined ? 'Time by phase' : `In the exact way, reading and pruning take ${rangeText(share, shareText)}`,
    subtitle: 'The exact way by phase, median of the rounds. A generated reader has no phases: it does all in one pass.',
    unit: 'ms',
    parts: [...PARTS],
    rows,
    reading: 'Bars have equal length, since totals differ; totals stand at the right.',
    notShown: 'what a phase does: see docs/architecture.md.',
  };
}
