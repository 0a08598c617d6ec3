import { median, SequentialComparison } from '#benchmark';
import type { PairComparison } from '#benchmark';
import { validateObject } from '#crd';
import { defaultGates, LATEST_MINOR } from '#kube';
import { NOT_MEASURED, rangeText } from '#charts';
import type { Chart } from '#charts';
import { pairsOf } from '../measure/compare-rounds.ts';
import { extent } from '../measure/quotient.ts';
import { equalGate } from '../result/gates.ts';
import { sentence } from '../result/sentence.ts';
import type { ReportClaim } from '../result/summary.ts';
import { casesOf, timeCells } from '../study/study-report.ts';
import { studyOf } from '../study/study.ts';
import type { CaseFigures, Line, Work } from '../study/study.ts';
import { CHANGES, errorsOf, GROUPED_SPEC, groupedUpdate } from '../workloads/grouped-entries.ts';
import type { GroupedUpdate } from '../workloads/grouped-entries.ts';
import { compiled, largeDefinition, NO_LIMITS } from '../workloads/judging.ts';
import type { Findings } from './experiment.ts';

/** Most that ratcheting may add to an update. Source: KEP-4008, "Scalability". */
const WANTED = 1.05;
const RULES = { leastEffect: WANTED - 1 };

const UPDATES = [false, true].flatMap((invalid) => CHANGES.map((change) => ({ invalid, change })));
const lineOf = ({ invalid, change }: (typeof UPDATES)[number]): string => `${invalid ? 'invalid' : 'valid'}: ${change}`;

/** KEP-4008's question: what does it cost an update that unchanged parts may stay invalid? */
export const ratcheting = studyOf({
  name: 'ratcheting',
  question: 'What does ratcheting add to an update?',
  lines: UPDATES.map((update): Line => ({
    name: lineOf(update),
    // Groups, and entries of each: 25, 400 and 2,500 entries.
    sizes: { smallest: [5], quick: [20], full: [5, 20, 50] },
    work: (groups) => updating(groupedUpdate(update.invalid, update.change, groups)),
  })),
  findings,
});

/** Returns the work of judging an update with ratcheting off and on. */
function updating({ oldObject, body }: GroupedUpdate): Work {
  const document = largeDefinition({ spec: GROUPED_SPEC });
  const definitions = {
    on: compiled(document),
    off: compiled(document, { ...defaultGates(LATEST_MINOR), CRDValidationRatcheting: false }),
  };
  const write = { operation: 'UPDATE', body, oldObject, contentType: 'application/json', fieldValidation: 'Warn' } as const;
  const foundBy = (way: 'on' | 'off'): number | undefined => {
    const verdict = validateObject(definitions[way], write, NO_LIMITS);
    return 'cancelled' in verdict ? undefined : verdict.accepted ? 0 : verdict.errors.length;
  };
  return {
    runs: { off: () => foundBy('off'), on: () => foundBy('on') },
    comparedBy: RULES,
    after: () => ({ facts: { off: foundBy('off'), on: foundBy('on') } }),
  };
}

const percent = (ratio: number): string => `${ratio >= 1 ? '+' : '−'}${Math.abs((ratio - 1) * 100).toFixed(0)} %`;

/** An update whose times were measured in both ways. */
interface Compared {
  readonly name: string;
  readonly line: string;
  readonly off: number;
  readonly on: number;
  readonly change: Extract<PairComparison, { readonly kind: 'compared' }>;
}

const nameOf = ({ line, size }: CaseFigures): string => line.replace(':', `, ${size * size} entries:`);

function comparedOf(one: CaseFigures): Compared[] {
  const { off = [], on = [] } = one.times;
  const comparison = new SequentialComparison(RULES);
  comparison.add(pairsOf(off, on));
  const change = comparison.soFar;
  return change.kind === 'compared' ? [{ name: nameOf(one), line: one.line, off: median(off) ?? 0, on: median(on) ?? 0, change }] : [];
}

function findings(cases: readonly CaseFigures[]): Findings {
  const compared = cases.flatMap(comparedOf);
  const range = (some: readonly Compared[]): string => rangeText(extent(some.map(({ change }) => change.ratio)), percent);
  return {
    finding: sentence([
      `change of the time of an update by ratcheting: ${range(compared)}`,
      `where nothing changed: ${range(compared.filter(({ line }) => line.endsWith('nothing')))}`,
    ]),
    charts: [overheadChart(compared)],
    claims: [false, true].map((invalid) => overheadClaim(compared, invalid)),
    gates: UPDATES.flatMap((update) =>
      casesOf(cases, lineOf(update)).flatMap((one) => {
        const wanted = errorsOf(update.invalid, update.change, one.size);
        return [
          equalGate(`${nameOf(one)}: errors without ratcheting`, 'verdicts', wanted.off, one.facts['off']),
          equalGate(`${nameOf(one)}: errors with ratcheting`, 'verdicts', wanted.on, one.facts['on']),
        ];
      }),
    ),
    cells: timeCells(cases),
  };
}

function overheadChart(compared: readonly Compared[]): Chart {
  const worst = compared.toSorted((a, b) => b.change.ratio - a.change.ratio)[0];
  return {
    kind: 'changes',
    id: 'overhead',
    title: worst
      ? `${compared.length > 1 ? 'It costs most' : 'What it costs'} (${percent(worst.change.ratio)}) for: ${worst.name}`
      : 'What ratcheting costs',
    subtitle:
      'One update from its bytes to its verdict, ratcheting off → on, in pairs; median of the rounds. A row is named by what the update changes. The grey bar is the 5 % of KEP-4008.',
    x: { label: 'time of an update', unit: 'ms' },
    from: 'off',
    to: 'on',
    wanted: WANTED,
    rows: compared.map(({ name, off, on, change: { ratio, lo, hi } }) => ({ name, from: off, to: on, ratio, lo, hi })),
    reading:
      'A valid update need not look for old values: they only excuse findings. An invalid one is judged once to see that it is, and again with its old values. A part that did not change is not judged at all.',
    notShown: 'the Go validator, which finds old values for every node of every update.',
  };
}

function overheadClaim(compared: readonly Compared[], invalid: boolean): ReportClaim {
  const own = compared.filter(({ line }) => line.startsWith('invalid') === invalid);
  const within = own.filter(({ change }) => change.hi <= WANTED).length;
  const above = own.filter(({ change }) => change.lo > WANTED).length;
  const worst = extent(own.map(({ change }) => change.ratio));
  return {
    source: 'KEP-4008',
    claim: `ratcheting adds at most 5 % to an update of ${invalid ? 'an invalid' : 'a valid'} object`,
    system: 'Assay',
    found: worst ? `${within} of ${own.length} cases surely within, ${above} surely above; at worst ${percent(worst.most)}` : NOT_MEASURED,
    verdict: verdictOf(own.length, within, above),
  };
}

function verdictOf(cases: number, within: number, above: number): ReportClaim['verdict'] {
  if (cases === 0) return 'not measured';
  if (within === cases) return 'holds';
  if (above === cases) return 'fails';
  return above > 0 ? 'in part' : 'undecided';
}
