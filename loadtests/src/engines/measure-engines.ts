import type { Role } from '#charts';
import type { Cell as Measured } from './cell.ts';
import { fasterCell } from './cell.ts';
import type { CelCase } from './cel-cases.ts';
import type { EngineName } from './cel-engines.ts';
import type { GoValidator } from './go-validator.ts';
import { runCell } from './run-cell.ts';

/** An engine as a report names it. */
export interface MeasuredEngine {
  readonly name: string;
  readonly role: Role;
  /** Evaluates a case at each size; a size that it does not finish is left out. */
  readonly measure: (test: CelCase, sizes: readonly number[], milliseconds: number) => Measured[];
}

const inProcess = (name: string, role: Role, engine: EngineName): MeasuredEngine => ({
  name,
  role,
  measure: (test, sizes, milliseconds) =>
    runCell<Measured>({ from: import.meta.url, path: './cel-cell' }, [engine, test.name, sizes.join(','), String(milliseconds)]),
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
export const goEngines = (go: GoValidator): readonly MeasuredEngine[] => [
  { name: 'Go, as Kubernetes ships it', role: 'shipped', measure: (test, sizes) => go.measure(test, sizes, 'validator') },
  { name: 'Go, no cost tracking', role: 'reference', measure: (test, sizes) => go.measure(test, sizes, 'raw-notrack') },
];

/** A case at one size in one engine. */
export interface Figure {
  readonly size: number;
  readonly nsPerStep: number;
  readonly cost: number | undefined;
  /** ns per step of each round, in turn with the other engines. */
  readonly rounds: readonly number[];
}

/** Measures engines in turns, each in processes of its own; the fastest round counts, as what the code can do. */
export function measureInTurns(
  engines: readonly MeasuredEngine[],
  test: CelCase,
  sizes: readonly number[],
  { rounds, milliseconds }: { readonly rounds: number; readonly milliseconds: number },
): Map<MeasuredEngine, Figure[]> {
  const runs = new Map(engines.map((engine) => [engine, [] as Measured[][]]));
  for (let round = 0; round < rounds; round++)
    for (const engine of engines) runs.get(engine)?.push(engine.measure(test, sizes, milliseconds));
  return new Map(
    engines.map((engine) => [
      engine,
      sizes.flatMap((size) => {
        const cells = (runs.get(engine) ?? []).flatMap((cells) => cells.find((cell) => cell.size === size) ?? []);
        const best = cells.reduce<Measured | undefined>(fasterCell, undefined);
        if (best?.nsPerStep === undefined) return [];
        return [{ size, nsPerStep: best.nsPerStep, cost: best.cost, rounds: cells.flatMap(({ nsPerStep }) => nsPerStep ?? []) }];
      }),
    ]),
  );
}
