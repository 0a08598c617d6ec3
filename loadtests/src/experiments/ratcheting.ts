import { median, SequentialComparison } from '#benchmark';
import { validateObject } from '#crd';
import { defaultGates, LATEST_MINOR } from '#kube';
import { NOT_MEASURED, rangeText } from '#numbers';
import type { Chart } from '#report/charts';
import { pairsOf } from '../measure/compare-rounds.ts';
import type { Concluded } from '../measure/compare-rounds.ts';
import { extent } from '../measure/quotient.ts';
import type { ReportClaim } from '../result/summary.ts';
import { studyOf } from '../study/study-report.ts';
import type { CaseFigures, Line, Work } from '../study/study.ts';
import { CHANGES, errorsOf, GROUPED_SPEC, groupedUpdate } from '../workloads/grouped-entries.ts';
import type { GroupedUpdate } from '../workloads/grouped-entries.ts';
import { compiled, largeDefinition, NO_LIMITS } from '../workloads/judging.ts';

/** Highest wanted ratio of the update time with ratcheting to the update time without ratcheting. Source: KEP-4008, "Scalability". */
const WANTED = 1.05;
const RULES = { minEffect: WANTED - 1 };
const KINDS = ['valid', 'invalid'] as const;

/** Experiment about the question of KEP-4008: how much time an update takes if unchanged parts of the object may stay invalid. */
export const ratcheting = studyOf({
  name: 'ratcheting',
  question:
    'How much time does ratcheting add to an update? (Ratcheting accepts an update that leaves invalid parts of an object unchanged.)',
  lines: KINDS.flatMap((kind) =>
    CHANGES.map((change): Line => ({
      name: `${kind}: ${change}`,
      // The sizes are numbers of groups. Each group has as many entries as there are groups, so there are 25, 400 and 2,500 entries.
      sizes: { smallest: [5], quick: [20], full: [5, 20, 50] },
      expected(groups) {
        const { off, on } = errorsOf(kind === 'invalid', change, groups);
        return { 'errors without ratcheting': off, 'errors with ratcheting': on };
      },
      work: (groups) => updating(groupedUpdate(kind === 'invalid', change, groups)),
    })),
  ),
  conclude(cases) {
    const compared = cases.flatMap(comparedOf);
    const range = (some: readonly Compared[]): string => rangeText(extent(some.map(({ change }) => change.ratio)), percent);
    return {
      finding: [
        `change of the time of an update by ratcheting: ${range(compared)}`,
        `for updates that change nothing: ${range(compared.filter(({ name }) => name.endsWith('nothing')))}`,
      ],
      charts: [overheadChart(compared)],
      claims: KINDS.map((kind) =>
        overheadClaim(
          kind,
          compared.filter(({ name }) => name.startsWith(kind)),
        ),
      ),
    };
  },
});

/** Returns the work of validating an update, once with ratcheting off and once with ratcheting on. */
function updating({ oldObject, body }: GroupedUpdate): Work {
  const document = largeDefinition({ spec: GROUPED_SPEC });
  const [on, off] = [compiled(document), compiled(document, { ...defaultGates(LATEST_MINOR), CRDValidationRatcheting: false })];
  const write = { operation: 'UPDATE', body, oldObject, contentType: 'application/json', fieldValidation: 'Warn' } as const;
  const errorsBy = (definition: typeof on): number | undefined => {
    const verdict = validateObject(definition, write, NO_LIMITS);
    return 'cancelled' in verdict ? undefined : verdict.accepted ? 0 : verdict.errors.length;
  };
  return {
    runs: { off: () => errorsBy(off), on: () => errorsBy(on) },
    comparedBy: RULES,
    after: () => ({ facts: { 'errors without ratcheting': errorsBy(off), 'errors with ratcheting': errorsBy(on) } }),
  };
}

function percent(ratio: number): string {
  const change = Math.round((ratio - 1) * 100);
  return `${change > 0 ? '+' : change < 0 ? '−' : ''}${Math.abs(change)} %`;
}

/** Update that was measured with ratcheting off and on: its median times in ms, and the comparison of the rounds. */
interface Compared {
  readonly name: string;
  readonly off: number;
  readonly on: number;
  readonly change: Concluded;
}

function comparedOf({ line, size, times: { off = [], on = [] } }: CaseFigures): Compared[] {
  const comparison = new SequentialComparison(RULES);
  comparison.add(pairsOf(off, on));
  const change = comparison.soFar;
  const name = line.replace(':', `, ${size * size} entries:`);
  return change.kind === 'compared' ? [{ name, off: median(off) ?? 0, on: median(on) ?? 0, change }] : [];
}

function overheadChart(compared: readonly Compared[]): Chart {
  const worst = compared.toSorted((a, b) => b.change.ratio - a.change.ratio)[0];
  return {
    kind: 'changes',
    id: 'overhead',
    title: worst
      ? `${compared.length > 1 ? 'Ratcheting adds most time' : 'Time that ratcheting adds'} (${percent(worst.change.ratio)}) to this update: ${worst.name}`
      : 'What ratcheting costs',
    subtitle:
      'Time of one update from its bytes to its verdict, without ratcheting → with ratcheting, measured in pairs; median of the rounds. The name of a row says if the stored object is valid, how many entries it has, and what the update changes. The grey bar is the 5 % that KEP-4008, the enhancement about ratcheting, allows.',
    x: { label: 'time of an update', unit: 'ms' },
    from: 'off',
    to: 'on',
    wanted: WANTED,
    rows: compared.map(({ name, off, on, change: { ratio, lo, hi } }) => ({ name, from: off, to: on, ratio, lo, hi })),
    reading:
      'For a valid update, Assay does not look for old values, because old values can only excuse errors. Assay judges an invalid update twice: first without old values, and then with them. Assay does not judge parts of an object that did not change.',
    notShown: 'the Go validator, which looks for old values for every part of every update.',
  };
}

function overheadClaim(kind: (typeof KINDS)[number], compared: readonly Compared[]): ReportClaim {
  const within = compared.filter(({ change }) => change.hi <= WANTED).length;
  const above = compared.filter(({ change }) => change.lo > WANTED).length;
  const worst = extent(compared.map(({ change }) => change.ratio));
  const decided = within === compared.length ? 'holds' : above === compared.length ? 'fails' : above > 0 ? 'in part' : 'undecided';
  return {
    source: 'KEP-4008',
    claim: `ratcheting adds at most 5 % to an update of ${kind === 'invalid' ? 'an invalid' : 'a valid'} object`,
    system: 'Assay',
    found: worst
      ? `within 5 % in ${within} of ${compared.length} cases (95 % interval), and above 5 % in ${above} cases; the largest change is ${percent(worst.most)}`
      : NOT_MEASURED,
    verdict: worst ? decided : 'not measured',
  };
}
