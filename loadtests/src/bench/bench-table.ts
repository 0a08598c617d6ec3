import { textTable } from '../report/text-table.ts';

/** What a bench tells: figures in rows, and the wishes that they do not meet. */
export interface BenchTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Gates that did not hold. */
  readonly failedGates: readonly string[];
  /** Gates whose figures are missing: they neither hold nor fail. */
  readonly unmeasuredGates?: readonly string[];
  readonly notes: readonly string[];
}

/** A bench's table as aligned text. */
export function benchText({ columns, rows, failedGates, unmeasuredGates = [], notes }: BenchTable): string {
  const gates = [
    ...failedGates.map((gate) => `GATE FAILED: ${gate}`),
    ...unmeasuredGates.map((gate) => `Gate not measured: ${gate}`),
    ...(rows.length > 0 && failedGates.length + unmeasuredGates.length === 0 ? ['Gates: all hold.'] : []),
  ];
  return textTable({ title: '', columns, rows, notes: [...notes, ...(rows.length === 0 ? ['Nothing was measured.'] : []), ...gates] });
}
