import { fixedText, NOT_MEASURED } from '#charts';
import type { Cell } from '../engines/cell.ts';
import type { CelCase } from '../engines/cel-cases.ts';
import type { EngineName } from '../engines/cel-engines.ts';
import { quotient } from '../measure/quotient.ts';

/** The engines of the table, in the order of its columns. */
export const ENGINE_NAMES: readonly EngineName[] = ['hand', 'compiled', 'interpreted', '@marcbachmann/cel-js', 'cel-js', '@bufbuild/cel'];

/** Most that generated code may need, as a multiple of the hand-written loop. */
const WANTED_RATIO = 1.3;

/** One case at one size: a row, and the gates that failed or could not be measured. */
export interface CelRow {
  readonly row: readonly string[];
  readonly failedGates: readonly string[];
  readonly unmeasuredGates: readonly string[];
}

/** What was measured of one case at one size; an engine that was too slow has no figure. */
export interface CelFigures {
  readonly test: Pick<CelCase, 'name' | 'wantedNs'>;
  readonly size: number;
  readonly at: (engine: EngineName) => Cell | undefined;
  /** Of the Go validator. */
  readonly go: Cell | undefined;
}

/** Figures beside those of generated code, and what is wanted of them. */
export function celRow({ test, size, at, go }: CelFigures): CelRow {
  const compiled = at('compiled')?.nsPerStep;
  const ratio = quotient(compiled, at('hand')?.nsPerStep);
  const met = compiled === undefined || ratio === undefined ? undefined : compiled <= test.wantedNs && ratio <= WANTED_RATIO;
  const beside = (cell: Cell | undefined): string => `${figure(cell)} ${timesText(quotient(cell?.nsPerStep, compiled))}`.trimEnd();
  const costs = [...(['hand', 'compiled', 'interpreted'] as const).map((engine) => at(engine)?.cost), go?.cost];
  const known = new Set(costs.filter((cost) => cost !== undefined));
  const name = `${test.name} ${size}`;
  return {
    row: [
      test.name,
      String(size),
      figure(at('hand')),
      figure(at('compiled')),
      fixedText(ratio, 2),
      String(test.wantedNs),
      met === undefined ? NOT_MEASURED : met ? 'met' : 'missed',
      ...ENGINE_NAMES.slice(2).map((engine) => beside(at(engine))),
      beside(go),
    ],
    failedGates: [
      ...(known.size > 1
        ? [`${name}: costs differ: ${costs.map((cost) => cost ?? NOT_MEASURED).join(', ')} (hand, compiled, interpreted, Go)`]
        : []),
      ...(met === false
        ? [`${name}: ${fixedText(compiled, 2)} ns, ${fixedText(ratio, 2)} × hand; wanted ${test.wantedNs} ns, ${WANTED_RATIO} ×`]
        : []),
    ],
    unmeasuredGates: met === undefined ? [`${name}: time of generated code beside the hand-written loop`] : [],
  };
}

const timesText = (ratio: number | undefined): string =>
  ratio === undefined ? '' : `(${ratio < 10 ? ratio.toFixed(1) : ratio.toFixed(0)}×)`;

function figure(cell: Cell | undefined): string {
  if (cell?.nsPerStep !== undefined) return cell.nsPerStep < 10 ? cell.nsPerStep.toFixed(2) : cell.nsPerStep.toFixed(0);
  return cell?.error === undefined ? NOT_MEASURED : 'error';
}
