import { validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { defaultGates, LATEST_MINOR } from '#kube';
import { NOT_MEASURED, rangeText } from '#charts';
import type { Chart } from '#charts';
import type { Lab } from '../lab.ts';
import { inTurns } from '../measure/in-turns.ts';
import { FEWEST_ROUNDS, pairedRatio } from '../measure/paired-ratio.ts';
import type { Ratio } from '../measure/paired-ratio.ts';
import { median } from '#benchmark';
import { extent } from '../measure/quotient.ts';
import { equalGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import type { ReportClaim } from '../result/summary.ts';
import { CHANGES, GROUPED_SPEC, groupedUpdate } from '../workloads/grouped-entries.ts';
import type { Change, GroupedUpdate } from '../workloads/grouped-entries.ts';
import { compiled, largeDefinition, UNLIMITED } from '../workloads/judging.ts';
import type { Experiment, Findings } from './experiment.ts';

/** Groups, and entries of each: 25, 400 and 2,500 entries. */
const SIZES = { smallest: [5], quick: [20], full: [5, 20, 50] } as const;
const ROUNDS = { smallest: 10, quick: 12, full: 40 } as const;
/** Most that ratcheting may add to an update. Source: KEP-4008, "Scalability". */
const WANTED = 1.05;

/** Updates that were measured, as far as the lab got. */
export interface RatchetingData {
  readonly updates: readonly UpdateFigures[];
  readonly seed: number;
}

/** KEP-4008's question: what does it cost an update that unchanged parts may stay invalid? */
export const ratcheting: Experiment<RatchetingData> = {
  name: 'ratcheting',
  question: 'What does ratcheting add to an update?',
  async measure(lab) {
    const on = compiled(largeDefinition({ spec: GROUPED_SPEC }));
    const off = compiled(largeDefinition({ spec: GROUPED_SPEC }), { ...defaultGates(LATEST_MINOR), CRDValidationRatcheting: false });
    const updates: UpdateFigures[] = [];
    const cases = lab
      .of<readonly number[]>(SIZES)
      .flatMap((groups) => [false, true].flatMap((invalid) => CHANGES.map((change) => ({ groups, invalid, change }))));
    for await (const { groups, invalid, change } of lab.each(cases)) {
      lab.say(`${invalid ? 'invalid' : 'valid'}, ${groups * groups} entries: ${change}`);
      updates.push(measureUpdate(lab, { groups, invalid, change }, groupedUpdate(invalid, change, groups), { on, off }));
    }
    return { updates, seed: lab.seed };
  },
  findings,
};

interface UpdateCase {
  readonly groups: number;
  readonly invalid: boolean;
  readonly change: Change;
}

/** An update with ratcheting off and on: ms, a figure a round, and how many errors it has. */
export interface UpdateFigures extends UpdateCase {
  readonly name: string;
  readonly off: readonly number[];
  readonly on: readonly number[];
  readonly expected: GroupedUpdate['errors'];
  readonly errors: Readonly<Record<'off' | 'on', number | undefined>>;
}

function measureUpdate(
  lab: Lab,
  { groups, invalid, change }: UpdateCase,
  { oldObject, body, errors: expected }: GroupedUpdate,
  definitions: Readonly<Record<'on' | 'off', CompiledDefinition>>,
): UpdateFigures {
  const judge = (definition: CompiledDefinition): number | undefined => {
    const verdict = validateObject(
      definition,
      { operation: 'UPDATE', body, oldObject, contentType: 'application/json', fieldValidation: 'Warn' },
      { costLimit: UNLIMITED, budget: UNLIMITED },
    );
    return 'cancelled' in verdict ? undefined : verdict.accepted ? 0 : verdict.errors.length;
  };
  const turns = inTurns(
    (['off', 'on'] as const).map((name) => ({ name, run: () => void judge(definitions[name]) })),
    { rounds: lab.of(ROUNDS), random: lab.random, turnMs: 8, warmUpMs: 400, stopped: () => lab.over },
  );
  const samples = (name: string): readonly number[] => turns.find((turn) => turn.name === name)?.samples ?? [];
  return {
    groups,
    invalid,
    change,
    name: `${invalid ? 'invalid' : 'valid'}, ${groups * groups} entries: ${change}`,
    off: samples('off'),
    on: samples('on'),
    expected,
    errors: { off: judge(definitions.off), on: judge(definitions.on) },
  };
}

const percent = (ratio: number): string => `${ratio >= 1 ? '+' : '−'}${Math.abs((ratio - 1) * 100).toFixed(0)} %`;

/** An update whose times were measured in both ways. */
type Compared = UpdateFigures & { readonly ratio: Ratio };

function findings({ updates, seed }: RatchetingData): Findings {
  const compared = updates.flatMap((update): Compared[] => {
    const ratio = pairedRatio(update.on, update.off, seed);
    return ratio === undefined ? [] : [{ ...update, ratio }];
  });
  const worst = compared.toSorted((a, b) => b.ratio.ratio - a.ratio.ratio)[0];
  const range = (ratios: readonly Compared[]): string => rangeText(extent(ratios.map(({ ratio }) => ratio.ratio)), percent);
  return {
    finding: sentence([
      `change of the time of an update by ratcheting: ${range(compared)}`,
      `where nothing changed: ${range(compared.filter(({ change }) => change === 'nothing'))}`,
    ]),
    charts: worst === undefined ? [] : [overheadChart(compared, worst)],
    claims: [false, true].map((invalid) => overheadClaim(compared, invalid)),
    gates: updates.flatMap(({ name, expected, errors }) => [
      equalGate(`${name}: errors without ratcheting`, 'verdicts', expected.off, errors.off),
      equalGate(`${name}: errors with ratcheting`, 'verdicts', expected.on, errors.on),
    ]),
    cells: updates.flatMap(({ name, off, on }) => [
      ...medianCell({ id: `${name}/off`, unit: 'ms', samples: off }),
      ...medianCell({ id: `${name}/on`, unit: 'ms', samples: on }),
    ]),
  };
}

function overheadChart(compared: readonly Compared[], worst: Compared): Chart {
  return {
    kind: 'changes',
    id: 'overhead',
    title: `${compared.length > 1 ? 'It costs most' : 'What it costs'} (${percent(worst.ratio.ratio)}) for: ${worst.name}`,
    subtitle:
      'One update from its bytes to its verdict, ratcheting off → on, in turns; median of the rounds. A row is named by what the update changes. The grey bar is the 5 % of KEP-4008.',
    x: { label: 'time of an update', unit: 'ms' },
    from: 'off',
    to: 'on',
    wanted: WANTED,
    rows: compared.flatMap(({ name, off, on, ratio: { ratio, lo, hi } }) => {
      const [from, to] = [median(off), median(on)];
      return from === undefined || to === undefined ? [] : [{ name, from, to, ratio, lo, hi }];
    }),
    reading:
      'A valid update need not look for old values: they only excuse findings. An invalid one is judged once to see that it is, and again with its old values. A part that did not change is not judged at all.',
    notShown: 'the Go validator, which finds old values for every node of every update.',
  };
}

function overheadClaim(compared: readonly Compared[], invalid: boolean): ReportClaim {
  const own = compared.filter((update) => update.invalid === invalid);
  const within = own.filter(({ ratio }) => ratio.hi <= WANTED && ratio.rounds >= FEWEST_ROUNDS);
  const above = own.filter(({ ratio }) => ratio.lo > WANTED && ratio.rounds >= FEWEST_ROUNDS);
  const worst = extent(own.map(({ ratio }) => ratio.ratio));
  return {
    source: 'KEP-4008',
    claim: `ratcheting adds at most 5 % to an update of ${invalid ? 'an invalid' : 'a valid'} object`,
    system: 'Assay',
    found:
      worst === undefined
        ? NOT_MEASURED
        : `${within.length} of ${own.length} cases surely within, ${above.length} surely above; at worst ${percent(worst.most)}`,
    verdict: verdictOf(own.length, within.length, above.length),
  };
}

function verdictOf(cases: number, within: number, above: number): ReportClaim['verdict'] {
  if (cases === 0) return 'not measured';
  if (within === cases) return 'holds';
  if (above === cases) return 'fails';
  return above > 0 ? 'in part' : 'undecided';
}
