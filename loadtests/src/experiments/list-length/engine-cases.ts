import type { Role } from '#charts';
import { CEL_CASES } from '../../engines/cel-cases.ts';
import type { CelCase } from '../../engines/cel-cases.ts';
import { measureInTurns } from '../../engines/measure-engines.ts';
import type { Figure, MeasuredEngine } from '../../engines/measure-engines.ts';
import type { Lab, Choice } from '../../lab.ts';

const SIZES: Choice<readonly number[]> = {
  smallest: [1000, 16_000],
  quick: [1000, 16_000, 64_000],
  full: [1000, 4000, 16_000, 64_000, 300_000, 1_572_000],
};
const ROUNDS = { quick: 1, full: 5 } as const;
const CELL_MS = { quick: 60, full: 400 } as const;
/** One rule, measured at all lengths. */
export const SCALED = 'ints-all';
/** Length at which rules of all shapes are compared. */
export const COMPARED_SIZE = 16_000;

/** One engine's figures of a case, by length; lengths that it did not finish are missing. */
export interface EngineCells {
  readonly name: string;
  readonly role: Role;
  readonly cells: readonly Figure[];
}

/** One rule in all engines. */
export interface CaseFigures {
  readonly test: Pick<CelCase, 'name' | 'rule'> & { readonly nested: boolean };
  readonly engines: readonly EngineCells[];
}

/** Measures rules of several shapes in all engines, in turns. */
export async function measureCases(lab: Lab, engines: readonly MeasuredEngine[]): Promise<CaseFigures[]> {
  const figures: CaseFigures[] = [];
  const cases = lab.thoroughness === 'full' ? CEL_CASES : CEL_CASES.filter(({ name }) => name === SCALED);
  for await (const test of lab.each(cases)) {
    lab.say(`${test.name}: ${engines.length} engines`);
    const sizes = test.name === SCALED ? lab.of(SIZES) : test.nested === true ? [300] : [COMPARED_SIZE];
    const byEngine = measureInTurns(engines, test, sizes, { rounds: lab.of(ROUNDS), milliseconds: lab.of(CELL_MS) });
    figures.push({
      test: { name: test.name, rule: test.rule, nested: test.nested === true },
      engines: [...byEngine].map(([{ name, role }, cells]) => ({ name, role, cells })),
    });
  }
  return figures;
}
