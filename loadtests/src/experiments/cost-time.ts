import { basename } from 'node:path';
import { readFileSync } from 'node:fs';
import { candidateOf, evaluationOf, percentile, performCell, sampleRounds, StudiedDefinition } from '#benchmark';
import type { CellPorts, RuleKey } from '#benchmark';
import { loneRules } from '#crd';
import { isJsonObject, readYaml } from '#go';
import { nodeEngine } from '#runner/linker';
import { countText, timeText } from '#charts';
import type { Chart } from '#charts';
import type { Lab } from '../lab.ts';
import { quotient } from '../measure/quotient.ts';
import { shuffled } from '../../../testing/seeded-random.ts';
import { medianCell } from '../result/report-cell.ts';
import { boundClaim, studyOf } from '../study/study-report.ts';
import type { Conclusions } from '../study/study-report.ts';
import type { CaseFigures } from '../study/study.ts';
import { compiledAsStored } from '../workloads/judging.ts';
import { corpusFiles } from '../workloads/corpus-files.ts';

const FILES = { smallest: 4, quick: 14, full: 100_000 } as const;
const RULES_PER_FILE = { smallest: 6, quick: 12, full: 100_000 } as const;
/** Time for the search of a rule's dearest write, and for the rounds of its evaluations, ms. */
const SEARCH_MS = { smallest: 30, quick: 60, full: 200 } as const;
const ROUNDS_MS = { smallest: 5, quick: 20, full: 60 } as const;
/** The KEP's assumption: a unit takes no longer. 1,000,000 units, the limit of a call, are then a tenth of a second. */
const ASSUMED_NS = 100;
const NAMED_OUTLIERS = 8;

/** Does a cost unit say what an evaluation takes? Each line is a rule of a real definition, and its sizes are costs of writes. */
export const costTime = studyOf({
  name: 'cost-time',
  question: 'Does the cost of a rule predict its CPU time?',
  lines: [],
  async measure(lab) {
    const cases: CaseFigures[] = [];
    const files = shuffled(corpusFiles(), lab.random).slice(0, lab.of(FILES));
    for await (const file of lab.each(files)) {
      const studied = studiedOf(file);
      for (const { key, rule } of shuffled(studied ? rulesOf(studied) : [], lab.random).slice(0, lab.of(RULES_PER_FILE))) {
        if (studied === undefined || (lab.over && cases.length > 0)) break;
        cases.push(...evaluationsOf(lab, studied, key).map((one) => ({ line: `${basename(file, '.yaml')}: ${rule}`, ...one })));
      }
    }
    return cases;
  },
  conclude,
});

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

/** Measures a rule in the dearest write that a search finds, and in the write from which it grew that one. A size is the cost of an evaluation, in units. */
function evaluationsOf(lab: Lab, studied: StudiedDefinition, rule: RuleKey): Omit<CaseFigures, 'line'>[] {
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
  return works.map(({ cost }, i) => ({ size: cost, times: { evaluation: samples[i] ?? [] }, facts: {} })).filter(({ size }) => size > 0);
}

/** One rule in one write, and time of an evaluation and of a unit of its cost, ns. */
interface Point extends CaseFigures {
  readonly ns: number;
  readonly perUnit: number;
}

/** Returns the figures of a case in its fastest round, which nothing interrupts. */
function pointsOf(one: CaseFigures): Point[] {
  const ns = 1e6 * Math.min(...(one.times['evaluation'] ?? []));
  return ns > 0 && Number.isFinite(ns) ? [{ ...one, ns, perUnit: ns / one.size }] : [];
}

const nsText = (ns: number | undefined): string => timeText(ns === undefined ? undefined : ns / 1e6);

function conclude(cases: readonly CaseFigures[]): Conclusions {
  const points = cases.flatMap(pointsOf).toSorted((a, b) => b.perUnit - a.perUnit);
  const perUnit = points.map((point) => point.perUnit);
  const [p1, p50, p99] = [1, 50, 99].map((p) => percentile(perUnit, p));
  const slower = perUnit.filter((ns) => ns > ASSUMED_NS).length;
  return {
    finding: [
      p50 === undefined
        ? undefined
        : `a cost unit takes ${nsText(p50)} at the median, and 98 % of ${countText(points.length)} evaluations of real rules lie between ${nsText(p1)} and ${nsText(p99)} a unit`,
    ],
    charts: points.length === 0 ? [] : [cloudChart(points, slower)],
    cells: medianCell({ id: 'ns a unit, all rules', unit: 'ns', samples: perUnit }),
    claims: [
      boundClaim({
        claim: 'a cost unit stands for at most 100 ns, so that 1,000,000 units are a tenth of a second',
        figure: quotient(slower, points.length),
        found: (share) => `${(100 * (1 - share)).toFixed(1)} % of ${countText(points.length)} evaluations`,
        holds: 0,
        inPart: 0.01,
      }),
    ],
  };
}

function cloudChart(points: readonly Point[], slower: number): Chart {
  const named = [...new Map(points.map((point) => [point.line, point])).values()].slice(0, NAMED_OUTLIERS);
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
    groups: [{ name: 'rules of real definitions', role: 'assay', points: points.map(({ size, ns }) => [size, ns]) }],
    outliers: named.map(({ line, size, ns }) => ({ x: size, y: ns, name: line })),
    diagonals: [1, 10, 100, 1000].map((ns) => ({ factor: ns, label: `${nsText(ns)} a unit` })),
    reading: 'Cheap rules lie high because an evaluation takes time that no unit counts.',
    notShown: 'rules of which no search found a write that they judge, and writes that users send, which are far from the dearest ones.',
  };
}
