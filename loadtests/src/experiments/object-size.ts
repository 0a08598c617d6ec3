import { bytesText, rangeText, shareText, timeText } from '#charts';
import type { Chart } from '#charts';
import { extent, measured, quotient } from '../measure/quotient.ts';
import { sentence } from '../result/sentence.ts';
import { judgingWork, PHASES } from '../study/judging-work.ts';
import { growthChart, numberOf, timeCells, timeOf, verdictGates } from '../study/study-report.ts';
import { studyOf } from '../study/study.ts';
import type { CaseFigures, Line } from '../study/study.ts';
import { compiled } from '../workloads/judging.ts';
import { largeAppsBody, LARGE_APPS } from '../workloads/large-apps.ts';
import type { Findings } from './experiment.ts';

const PARTS = ['parse', 'prune + default', 'OpenAPI', 'list types', 'CEL'];

const LINES: readonly Line[] = [
  {
    name: 'structures',
    sizes: { quick: [5, 500, 5000], full: [5, 50, 500, 5000, 15_000] },
    work: (apps) => {
      const body = largeAppsBody(apps);
      const text = body.toString();
      const work = judgingWork(compiled(LARGE_APPS), body);
      return { ...work, runs: { ...work.runs, 'JSON.parse': () => JSON.parse(text) as unknown } };
    },
  },
];

/** Measures the cost of a schema without rules as objects grow. */
export const objectSize = studyOf({
  name: 'object-size',
  question: 'What does an object cost that has a schema and no rules, and how does that grow with its bytes?',
  lines: LINES,
  findings,
});

/** Returns cases whose size is the bytes of their object. */
const byBytes = (cases: readonly CaseFigures[]): CaseFigures[] =>
  cases.flatMap((one) => {
    const size = numberOf(one, 'bytes');
    return size === undefined ? [] : [{ ...one, size }];
  });

function findings(cases: readonly CaseFigures[]): Findings {
  const sized = byBytes(cases);
  const largest = measured(sized, (one) => timeOf(one, 'whole')).at(-1);
  const speed = quotient(largest?.item.size, largest && largest.value / 1000);
  const times = extent(sized.map((one) => quotient(timeOf(one, 'whole'), timeOf(one, 'JSON.parse'))));
  return {
    finding: sentence([
      largest &&
        `without rules, ${bytesText(largest.item.size)} are judged in ${timeText(largest.value)}${speed === undefined ? '' : ` (${bytesText(speed)}/s)`}`,
      times && `a write takes ${rangeText(times, (value) => value.toFixed(1))} times what JSON.parse takes`,
    ]),
    charts: [
      growthChart({
        id: 'growth',
        title: ['Time', 'the bytes'],
        subtitle:
          'A list of structures with names, images, labels, ports: patterns, bounds, enums and a default. Bytes to verdict, median of the rounds.',
        x: { label: 'bytes of the object', unit: 'bytes' },
        lines: [
          { name: 'bytes to verdict', role: 'assay', cases: sized, what: 'whole' },
          { name: 'bytes to verdict, exact way', role: 'experiment', cases: sized, what: 'exact' },
          { name: 'JSON.parse alone', role: 'reference', cases: sized, what: 'JSON.parse' },
        ],
        reading: 'JSON.parse neither distinguishes 1 from 1.0 nor finds duplicate keys, so it is a lower bound and not a rival.',
        notShown: 'HTTP, and how long an object waits for a thread.',
      }),
      phasesChart(sized),
    ],
    gates: verdictGates(cases, ({ size }) => `${size} structures`),
    cells: timeCells(cases),
  };
}

function phasesChart(sized: readonly CaseFigures[]): Chart {
  const rows = sized.flatMap((one) => {
    const values = PHASES.flatMap((phase) => timeOf(one, phase) ?? []);
    return values.length < PHASES.length ? [] : [{ group: 'Assay', name: bytesText(one.size), values }];
  });
  const sum = (values: readonly number[]): number => values.reduce((all, ms) => all + ms, 0);
  const share = extent(rows.map(({ values }) => quotient(sum(values.slice(0, 2)), sum(values))));
  return {
    kind: 'shares',
    id: 'phases',
    title: share === undefined ? 'Time by phase' : `In the exact way, reading and pruning take ${rangeText(share, shareText)}`,
    subtitle: 'The exact way by phase, median of the rounds. A generated reader has no phases: it does all in one pass.',
    unit: 'ms',
    parts: PARTS,
    rows,
    reading: 'Bars have equal length, since totals differ; totals stand at the right.',
    notShown: 'what a phase does: see docs/architecture.md.',
  };
}
