import type { ExactVerdict } from '#crd';
import { countedText, countText, NOT_MEASURED, timeText } from '#charts';
import type { Chart } from '#charts';
import type { Lab } from '../lab.ts';
import { median, percentile } from '#benchmark';
import { measured, quotient } from '../measure/quotient.ts';
import { shuffled } from '../../../testing/seeded-random.ts';
import { cpuMsOfRun } from '../../../testing/thread-cpu.ts';
import { warmUp } from '../measure/warm-up.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import type { ReportClaim } from '../result/summary.ts';
import { corpusFiles, rulesOf } from '../workloads/corpus-rules.ts';
import type { CorpusRule } from '../workloads/corpus-rules.ts';
import { generateValue } from '../workloads/generate-value.ts';
import type { ValueSizes } from '../workloads/generate-value.ts';
import { compiledAsStored, judgeExactly, largeBody, largeDefinition, NO_LIMITS, timed } from '../workloads/judging.ts';
import type { Experiment, Findings } from './experiment.ts';

const FILES = { smallest: 4, quick: 14, full: 100_000 } as const;
const RULES_PER_FILE = { smallest: 6, quick: 12, full: 100_000 } as const;
/** Values of two sizes, so that rules over lists stand at two places. */
const SIZES: readonly ValueSizes[] = [
  { text: 12, elements: 2, depth: 5 },
  { text: 60, elements: 12, depth: 4 },
];
/** A rule is evaluated over so many equal values at once, so that the clock sees it. */
const COPIES = 200;
/** Thread CPU that one span of judgements takes at least, ms: its clock steps by up to 10 ms. A point is the fastest of some spans. */
const SPAN_MS = { smallest: 12, quick: 24, full: 40 } as const;
const SPANS = { smallest: 1, quick: 2, full: 3 } as const;
/** Longest warm-up of a rule, ms: cheap rules are interpreted at first, and their generated code is optimised later still. */
const WARM_UP_MS = { quick: 4, full: 40 } as const;
/** The KEP's assumption: a unit takes no longer. 1,000,000 units, the limit of a call, are then a tenth of a second. */
const ASSUMED_NS = 100;
const NAMED_OUTLIERS = 8;

/** Points of rules, as far as the lab got. */
export interface CostTimeData {
  readonly points: readonly Point[];
  /** Rules and sizes that gave no point. */
  readonly withoutPoint: number;
  /** Definitions that were read. */
  readonly definitions: number;
}

/** Does a cost unit say what an evaluation takes? */
export const costTime: Experiment<CostTimeData> = {
  name: 'cost-time',
  question: 'Does the cost of a rule predict its CPU time?',
  async measure(lab) {
    const points: Point[] = [];
    let withoutPoint = 0;
    const files = shuffled(corpusFiles(), lab.random).slice(0, lab.of(FILES));
    let definitions = 0;
    for await (const file of lab.each(files)) {
      definitions += 1;
      if (definitions % 20 === 0) lab.say(`${definitions} of ${files.length} definitions, ${points.length} points`);
      for (const rule of shuffled(rulesOf(file), lab.random).slice(0, lab.of(RULES_PER_FILE))) {
        if (lab.over) break;
        for (const sizes of SIZES) {
          const point = measurePoint(lab, rule, sizes);
          if (point === undefined) withoutPoint += 1;
          else points.push(point);
        }
      }
    }
    return { points, withoutPoint, definitions };
  },
  findings,
};

/** One rule over one value: units and thread CPU of an evaluation, both above 0. */
export interface Point {
  readonly rule: Pick<CorpusRule, 'name' | 'rule'>;
  readonly cost: number;
  /** Thread CPU. */
  readonly ns: number;
}

type Judged = Exclude<ExactVerdict, { readonly cancelled: true }>;

/** Measures one rule over one value. Returns undefined where it costs nothing to evaluate, was too fast for the clock, or the value is not one for it. */
function measurePoint(lab: Lab, rule: CorpusRule, sizes: ValueSizes): Point | undefined {
  const value = generateValue(rule.node, sizes, lab.random);
  const ruled = { ...rule.node, 'x-kubernetes-validations': [{ rule: rule.rule }] };
  try {
    const definition = compiledAsStored(largeDefinition({ values: { type: 'array', items: ruled } }));
    const body = largeBody({ values: Array.from({ length: COPIES }, () => value) });
    const judge = (): Judged => judgeExactly(definition, body, NO_LIMITS);
    warmUp(judge, lab.of(WARM_UP_MS));
    const cost = (judge().cost.cel ?? 0) / COPIES;
    const ns = cost > 0 ? Math.min(...Array.from({ length: lab.of(SPANS) }, () => celCpuMs(judge, lab.of(SPAN_MS)))) * (1e6 / COPIES) : 0;
    return ns > 0 && Number.isFinite(ns) ? { rule: { name: rule.name, rule: rule.rule }, cost, ns } : undefined;
  } catch {
    // A definition cut out of its surroundings may not be servable at all.
    return undefined;
  }
}

/**
 * Returns the thread CPU that rules take in one judgement, ms: the thread CPU of judgements, times the median share of rules in their time. The
 * clock of thread CPU is too coarse for single steps. What interrupts the thread hits the share of few judgements.
 */
function celCpuMs(judge: () => Judged, spanMs: number): number {
  const shares: number[] = [];
  const whole = cpuMsOfRun(() => {
    const { value, ms } = timed(judge);
    shares.push(value.phases.cel / ms);
  }, spanMs);
  return whole * (median(shares) ?? 0);
}

const nsPerUnit = ({ ns, cost }: Point): number | undefined => quotient(ns, cost);

function findings({ points, withoutPoint, definitions }: CostTimeData): Findings {
  const perUnit = measured(points, nsPerUnit);
  const figures = perUnit.map(({ value }) => value);
  const [p1, p50, p99] = [1, 50, 99].map((p) => percentile(figures, p));
  const slower = perUnit.filter(({ value }) => value > ASSUMED_NS);
  const text = (ns: number | undefined): string => timeText(ns === undefined ? undefined : ns / 1e6);
  return {
    finding: sentence([
      p50 === undefined
        ? undefined
        : `a cost unit takes ${text(p50)} of thread CPU at the median, and 98 % of ${countText(figures.length)} rules and sizes of real definitions lie between ${text(p1)} and ${text(p99)} a unit`,
    ]),
    charts:
      perUnit.length === 0
        ? []
        : [
            cloudChart(
              perUnit.map(({ item }) => item),
              slower.length,
            ),
          ],
    claims: [assumptionClaim(figures.length, slower.length)],
    cells: medianCell({
      id: 'CPU ns a unit, all rules',
      unit: 'ns',
      samples: figures.filter((_, i) => i % Math.max(1, Math.ceil(figures.length / 500)) === 0),
    }),
    notes: [
      `${countText(points.length)} points of rules in ${countedText(definitions, 'definition')}; ${withoutPoint} more cost nothing over what was generated, look at more than their node, or could not be cut out.`,
      'Thread CPU is that of whole judgements times the median share of rules in their time: other threads and programs do not add to it.',
    ],
  };
}

function assumptionClaim(all: number, slower: number): ReportClaim {
  return {
    source: 'KEP-2876',
    claim: 'a cost unit stands for at most 100 ns, so that 1,000,000 units are a tenth of a second',
    system: 'Assay',
    found: all === 0 ? NOT_MEASURED : `${((100 * (all - slower)) / all).toFixed(1)} % of ${countText(all)} rules and sizes`,
    verdict: all === 0 ? 'not measured' : slower === 0 ? 'holds' : slower < all / 100 ? 'in part' : 'fails',
  };
}

function cloudChart(points: readonly Point[], slower: number): Chart {
  const farthest = points.toSorted((a, b) => b.ns / b.cost - a.ns / a.cost);
  const named = [...new Map(farthest.map((point) => [point.rule.rule, point])).values()].slice(0, NAMED_OUTLIERS);
  return {
    kind: 'cloud',
    id: 'scatter',
    title:
      slower === 0
        ? 'No rule takes more CPU than the limits assume'
        : `${slower} of ${countText(points.length)} take more CPU than the limits assume`,
    subtitle:
      'Each point is a rule of a real definition over a generated value, by the CPU time of its thread, fastest of some spans. Diagonals are equal CPU time per unit; the limits assume 100 ns.',
    x: { label: 'cost of one evaluation', unit: 'units' },
    y: { label: 'thread CPU of one evaluation', unit: 'ns' },
    groups: [{ name: 'rules of real definitions', role: 'assay', points: points.map(({ cost, ns }) => [cost, ns]) }],
    outliers: named.map(({ rule, cost, ns }) => ({ x: cost, y: ns, name: rule.name })),
    diagonals: [1, 10, 100, 1000].map((ns) => ({ factor: ns, label: `${timeText(ns / 1e6)} a unit` })),
    reading: `The slowest by unit: ${named
      .slice(0, 3)
      .map(({ rule, cost, ns }) => `\`${rule.rule.slice(0, 120)}\` (${timeText(ns / cost / 1e6)})`)
      .join('; ')}. Cheap rules lie high because finding a node and its variables takes CPU time that no unit counts.`,
    notShown: 'rules with oldSelf, and values that real objects would have.',
  };
}
