import { validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { defaultGates, LATEST_MINOR } from '#kube';
import type { Lab } from '../lab.ts';
import { inTurns } from '../measure/in-turns.ts';
import { pairedRatio } from '../measure/paired-ratio.ts';
import type { Ratio } from '../measure/paired-ratio.ts';
import { median } from '../measure/percentile.ts';
import { equalGate } from '../result/equal-gate.ts';
import type { ReportClaim } from '../result/summary.ts';
import { CHANGES, GROUPED_SPEC, groupedUpdate } from '../workloads/grouped-entries.ts';
import type { Change, GroupedUpdate } from '../workloads/grouped-entries.ts';
import { compiled, largeDefinition, UNLIMITED } from '../workloads/judging.ts';
import type { Experiment, Findings } from './experiment.ts';

/** Groups, and entries of each: 25, 400 and 2,500 entries. */
const SIZES = { quick: [20], full: [5, 20, 50] } as const;
const ROUNDS = { quick: 12, full: 40 } as const;
/** Most that ratcheting may add to an update. Source: KEP-4008, "Scalability". */
const WANTED = 1.05;

/** KEP-4008's question: what does it cost an update that unchanged parts may stay invalid? */
export const ratcheting: Experiment = {
  name: 'ratcheting',
  question: 'What does ratcheting add to an update?',
  async run(lab) {
    const on = compiled(largeDefinition({ spec: GROUPED_SPEC }));
    const off = compiled(largeDefinition({ spec: GROUPED_SPEC }), { ...defaultGates(LATEST_MINOR), CRDValidationRatcheting: false });
    const cells: UpdateFigures[] = [];
    const cases = lab
      .of<readonly number[]>(SIZES)
      .flatMap((groups) => [false, true].flatMap((invalid) => CHANGES.map((change) => ({ groups, invalid, change }))));
    for await (const { groups, invalid, change } of lab.each(cases)) {
      lab.say(`${invalid ? 'invalid' : 'valid'}, ${groups * groups} entries: ${change}`);
      cells.push(measure(lab, { groups, invalid, change }, groupedUpdate(invalid, change, groups), { on, off }));
    }
    return findings(cells);
  },
};

interface UpdateCase {
  readonly groups: number;
  readonly invalid: boolean;
  readonly change: Change;
}

interface UpdateFigures extends UpdateCase {
  readonly name: string;
  readonly off: readonly number[];
  readonly on: readonly number[];
  readonly ratio: Ratio;
  readonly expected: GroupedUpdate['errors'];
  readonly errors: GroupedUpdate['errors'];
}

function measure(
  lab: Lab,
  { groups, invalid, change }: UpdateCase,
  { oldObject, body, errors: expected }: GroupedUpdate,
  definitions: Readonly<Record<'on' | 'off', CompiledDefinition>>,
): UpdateFigures {
  const judge = (definition: CompiledDefinition): number => {
    const verdict = validateObject(
      definition,
      { operation: 'UPDATE', body, oldObject, contentType: 'application/json', fieldValidation: 'Warn' },
      { costLimit: UNLIMITED, budget: UNLIMITED },
    );
    return 'cancelled' in verdict ? Number.NaN : verdict.accepted ? 0 : verdict.errors.length;
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
    ratio: pairedRatio(samples('on'), samples('off'), lab.seed),
    expected,
    errors: { off: judge(definitions.off), on: judge(definitions.on) },
  };
}

const percent = (ratio: number): string => `${ratio >= 1 ? '+' : '−'}${Math.abs((ratio - 1) * 100).toFixed(0)} %`;

function findings(cells: readonly UpdateFigures[]): Findings {
  const worst = cells.toSorted((a, b) => b.ratio.ratio - a.ratio.ratio)[0];
  const unchanged = cells.filter(({ change }) => change === 'nothing').map(({ ratio }) => ratio.ratio);
  return {
    finding:
      worst === undefined
        ? 'Nothing was measured'
        : `Ratcheting changes the time of an update by ${percent(Math.min(...cells.map(({ ratio }) => ratio.ratio)))} to ${percent(worst.ratio.ratio)}; where nothing changed, by ${percent(Math.min(...unchanged))} to ${percent(Math.max(...unchanged))}`,
    charts: [
      {
        kind: 'changes',
        id: 'overhead',
        title: worst === undefined ? 'Nothing was measured' : `It costs most (${percent(worst.ratio.ratio)}) for: ${worst.name}`,
        subtitle:
          'One update from its bytes to its verdict, ratcheting off → on, in turns; median of the rounds. A row is named by what the update changes. The grey bar is the 5 % of KEP-4008.',
        x: { label: 'time of an update', unit: 'ms' },
        from: 'off',
        to: 'on',
        wanted: WANTED,
        rows: cells.map(({ name, off, on, ratio: { ratio, lo, hi } }) => ({ name, from: median(off), to: median(on), ratio, lo, hi })),
        reading:
          'A valid update need not look for old values: they only excuse findings. An invalid one is judged once to see that it is, and again with its old values at hand. A part that did not change is not judged at all.',
        notShown: 'the Go validator, which finds old values for every node of every update.',
      },
    ],
    claims: claims(cells),
    gates: cells.flatMap(({ name, expected, errors }) => [
      equalGate(`${name}: errors without ratcheting`, 'verdicts', expected.off, errors.off),
      equalGate(`${name}: errors with ratcheting`, 'verdicts', expected.on, errors.on),
    ]),
    cells: cells.flatMap(({ name, off, on }) => [
      { id: `${name}/off`, unit: 'ms' as const, samples: [...off], statistic: 'median' as const, value: median(off) },
      { id: `${name}/on`, unit: 'ms' as const, samples: [...on], statistic: 'median' as const, value: median(on) },
    ]),
  };
}

function claims(cells: readonly UpdateFigures[]): ReportClaim[] {
  return [false, true].flatMap((invalid): ReportClaim[] => {
    const own = cells.filter((cell) => cell.invalid === invalid);
    if (own.length === 0) return [];
    const within = own.filter(({ ratio }) => ratio.hi <= WANTED);
    const above = own.filter(({ ratio }) => ratio.lo > WANTED);
    const worst = Math.max(...own.map(({ ratio }) => ratio.ratio));
    return [
      {
        source: 'KEP-4008',
        claim: `ratcheting adds at most 5 % to an update of ${invalid ? 'an invalid' : 'a valid'} object`,
        system: 'ours',
        found: `${within.length} of ${own.length} cases surely within, ${above.length} surely above; at worst ${percent(worst)}`,
        verdict:
          within.length === own.length ? 'holds' : above.length === own.length ? 'fails' : above.length > 0 ? 'in part' : 'undecided',
      },
    ];
  });
}
