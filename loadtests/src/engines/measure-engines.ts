import type { Role } from '#charts';
import type { Cell, CelCase } from './cel-cases.ts';
import type { EngineName } from './cel-engines.ts';
import type { CaseFigures } from '../study/study.ts';
import type { GoValidator } from './go-validator.ts';
import { runCell } from './run-cell.ts';

/** An engine as a report names it. */
export interface MeasuredEngine {
  readonly name: string;
  readonly role: Role;
  /** Evaluates a case at each size; a size that it does not finish is left out. */
  readonly measure: (test: CelCase, sizes: readonly number[], milliseconds: number) => Cell[];
}

const inProcess = (name: string, role: Role, engine: EngineName): MeasuredEngine => ({
  name,
  role,
  measure: (test, sizes, milliseconds) =>
    runCell<Cell>({ from: import.meta.url, path: './cel-cell' }, [engine, test.name, sizes.join(','), String(milliseconds)]),
});

/** The engines that run in Node. */
export const NODE_ENGINES: readonly MeasuredEngine[] = [
  inProcess('Assay, generated code', 'assay', 'compiled'),
  inProcess('Assay, interpreted', 'experiment', 'interpreted'),
  inProcess('@bufbuild/cel', 'peer', '@bufbuild/cel'),
  inProcess('cel-js', 'peer', 'cel-js'),
  inProcess('@marcbachmann/cel-js', 'peer', '@marcbachmann/cel-js'),
];

/** Kubernetes' own validator, and cel-go without cost. */
export const goEngines = (go: GoValidator | undefined): readonly MeasuredEngine[] => [
  { name: 'Go, as Kubernetes ships it', role: 'shipped', measure: (test, sizes) => go?.measure(test, sizes, 'validator') ?? [] },
  { name: 'Go, no cost tracking', role: 'reference', measure: (test, sizes) => go?.measure(test, sizes, 'raw-notrack') ?? [] },
];

/** Rounds of a comparison of engines, and time of a case in one, ms. */
interface TurnRules {
  readonly rounds: number;
  readonly milliseconds: number;
}

/** Measures engines in turns, each in processes of its own; a line an engine, named after case and engine. `evaluation`: the fastest runs of all rounds. */
export function measureInTurns(
  engines: readonly MeasuredEngine[],
  test: CelCase,
  sizes: readonly number[],
  rules: TurnRules,
): CaseFigures[] {
  const runs = engines.map(({ name }) => ({ line: `${test.name}/${name}`, cells: [] as Cell[] }));
  for (let round = 0; round < rules.rounds; round++)
    for (const [i, engine] of engines.entries()) runs[i]?.cells.push(...engine.measure(test, sizes, rules.milliseconds));
  return runs.flatMap(({ line, cells }) =>
    sizes.flatMap((size) => {
      const own = cells.filter((cell) => cell.size === size && cell.ns.length > 0);
      const evaluation = own.flatMap(({ ns }) => ns).map((one) => (one * stepsOf(test, size)) / 1e6);
      return own.length === 0 ? [] : [{ line, size, times: { evaluation }, facts: { cost: own[0]?.cost } }];
    }),
  );
}

/** Returns the steps of a case: elements of the list, or pairs of them. */
export const stepsOf = ({ nested = false }: Pick<CelCase, 'nested'>, size: number): number => (nested ? size * size : size);
