import { basename } from 'node:path';
import { readFileSync } from 'node:fs';
import { candidateOf, evaluationOf, percentile, performCell, sampleRounds, StudiedDefinition } from '#benchmark';
import type { CellPorts, RuleKey } from '#benchmark';
import { loneRules } from '#crd';
import { isJsonObject, readYaml } from '#go';
import { nodeEngine } from '#runner/linker';
import { countedText, countText, NOT_MEASURED, timeText } from '#charts';
import type { Chart } from '#charts';
import type { Lab } from '../lab.ts';
import { measured, quotient } from '../measure/quotient.ts';
import { shuffled } from '../../../testing/seeded-random.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import type { ReportClaim } from '../result/summary.ts';
import { compiledAsStored } from '../workloads/judging.ts';
import { corpusFiles } from '../workloads/corpus-files.ts';
import type { Experiment, Findings } from './experiment.ts';

const FILES = { smallest: 4, quick: 14, full: 100_000 } as const;
const RULES_PER_FILE = { smallest: 6, quick: 12, full: 100_000 } as const;
/** Time for the search of a rule's dearest write, and for the rounds of its evaluations, ms. */
const SEARCH_MS = { smallest: 30, quick: 60, full: 200 } as const;
const ROUNDS_MS = { smallest: 5, quick: 20, full: 60 } as const;
/** The KEP's assumption: a unit takes no longer. 1,000,000 units, the limit of a call, are then a tenth of a second. */
const ASSUMED_NS = 100;
const NAMED_OUTLIERS = 8;

/** Points of rules, as far as the lab got. */
export interface CostTimeData {
  readonly points: readonly Point[];
  /** Rules that gave no point. */
  readonly withoutPoint: number;
  /** Definitions that were read. */
  readonly definitions: number;
}

/** One rule in one write: units and time of an evaluation, both above 0. */
interface Point {
  /** Definition and rule, for people. */
  readonly name: string;
  readonly rule: string;
  readonly cost: number;
  readonly ns: number;
}

/** Does a cost unit say what an evaluation takes? */
export const costTime: Experiment<CostTimeData> = {
  name: 'cost-time',
  question: 'Does the cost of a rule predict its CPU time?',
  async measure(lab) {
    const points: Point[] = [];
    const files = shuffled(corpusFiles(), lab.random).slice(0, lab.of(FILES));
    let [definitions, withoutPoint] = [0, 0];
    for await (const file of lab.each(files)) {
      definitions += 1;
      if (definitions % 20 === 0) lab.say(`${definitions} of ${files.length} definitions, ${points.length} points`);
      const studied = studiedOf(file);
      for (const { key, rule } of shuffled(studied ? rulesOf(studied) : [], lab.random).slice(0, lab.of(RULES_PER_FILE))) {
        if (studied === undefined || (lab.over && points.length > 0)) break;
        const found = pointsOf(lab, studied, key).map((point) => ({ name: `${basename(file, '.yaml')}: ${rule}`, rule, ...point }));
        if (found.length === 0) withoutPoint += 1;
        points.push(...found);
      }
    }
    return { points, withoutPoint, definitions };
  },
  findings,
};

/** Returns the definition of a file; undefined if there is none that can be served. */
function studiedOf(file: string): StudiedDefinition | undefined {
  const reading = readYaml(readFileSync(file));
  if (!reading.ok || !isJsonObject(reading.value) || reading.value['kind'] !== 'CustomResourceDefinition') return undefined;
  try {
    return new StudiedDefinition(compiledAsStored(reading.value));
  } catch {
    return undefined;
  }
}

/** Returns the rules of a definition; one whose text stands several times once. */
function rulesOf({ definition }: StudiedDefinition): { readonly key: RuleKey; readonly rule: string }[] {
  const all = definition.versions.flatMap((version) => {
    const served = definition.serve(version);
    const rules = served?.ok === true ? loneRules(served.version) : [];
    return rules.map(({ path, rule }) => ({ key: { version, path }, rule: rule.source.rule }));
  });
  return [...new Map(all.map((one) => [one.rule, one])).values()];
}

/** Measures a rule in the dearest write that a search finds, and in the write from which it grew that one. Units and ns of one evaluation. */
function pointsOf(lab: Lab, studied: StudiedDefinition, rule: RuleKey): { readonly cost: number; readonly ns: number }[] {
  const ports: CellPorts = { now: () => performance.now(), token: { cancelled: false } };
  const subjects = { head: () => studied, compileAgain: () => undefined, choice: nodeEngine };
  const search = { ms: lab.of(SEARCH_MS), seed: lab.seed, objects: [], hints: [] };
  const { worst, from } = performCell({ kind: 'costs', rule, ...search }, subjects, ports);
  const plans = [from, worst?.plan].filter((plan) => plan !== undefined);
  const works = plans.flatMap((plan) => evaluationOf(studied, rule, candidateOf(plan), ports) ?? []);
  const samples = sampleRounds(
    works.map(({ run }) => run),
    { ...ports, ms: lab.of(ROUNDS_MS) },
  );
  // The fastest round is the one that nothing interrupts.
  return works.map(({ cost }, i) => ({ cost, ns: 1e6 * Math.min(...(samples[i] ?? [])) })).filter(({ cost, ns }) => cost > 0 && ns > 0);
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
        : `a cost unit takes ${text(p50)} at the median, and 98 % of ${countText(figures.length)} evaluations of real rules lie between ${text(p1)} and ${text(p99)} a unit`,
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
      id: 'ns a unit, all rules',
      unit: 'ns',
      samples: figures.filter((_, i) => i % Math.max(1, Math.ceil(figures.length / 500)) === 0),
    }),
    notes: [
      `${countText(points.length)} points of rules in ${countedText(definitions, 'definition')}; of ${countedText(withoutPoint, 'rule')} no search found a write that they judge.`,
    ],
  };
}

function assumptionClaim(all: number, slower: number): ReportClaim {
  return {
    source: 'KEP-2876',
    claim: 'a cost unit stands for at most 100 ns, so that 1,000,000 units are a tenth of a second',
    system: 'Assay',
    found: all === 0 ? NOT_MEASURED : `${((100 * (all - slower)) / all).toFixed(1)} % of ${countText(all)} evaluations`,
    verdict: all === 0 ? 'not measured' : slower === 0 ? 'holds' : slower < all / 100 ? 'in part' : 'fails',
  };
}

function cloudChart(points: readonly Point[], slower: number): Chart {
  const farthest = points.toSorted((a, b) => b.ns / b.cost - a.ns / a.cost);
  const named = [...new Map(farthest.map((point) => [point.rule, point])).values()].slice(0, NAMED_OUTLIERS);
  return {
    kind: 'cloud',
    id: 'scatter',
    title:
      slower === 0
        ? 'No rule takes longer than the limits assume'
        : `${slower} of ${countText(points.length)} take longer than the limits assume`,
    subtitle:
      'Each point is a rule of a real definition, in the dearest write that a search found or in the write where that began; fastest round. Diagonals are equal time per unit; the limits assume 100 ns.',
    x: { label: 'cost of one evaluation', unit: 'units' },
    y: { label: 'time of one evaluation', unit: 'ns' },
    groups: [{ name: 'rules of real definitions', role: 'assay', points: points.map(({ cost, ns }) => [cost, ns]) }],
    outliers: named.map(({ name, cost, ns }) => ({ x: cost, y: ns, name })),
    diagonals: [1, 10, 100, 1000].map((ns) => ({ factor: ns, label: `${timeText(ns / 1e6)} a unit` })),
    reading: `The slowest by unit: ${named
      .slice(0, 3)
      .map(({ rule, cost, ns }) => `\`${rule.slice(0, 120)}\` (${timeText(ns / cost / 1e6)})`)
      .join('; ')}. Cheap rules lie high because an evaluation takes time that no unit counts.`,
    notShown: 'writes that users send, which are far from the dearest ones.',
  };
}
