import { textTable } from '../report/text-table.ts';

/** What a bench tells: figures in rows, and the wishes that they do not meet. */
export interface BenchTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Gates that did not hold. */
  readonly failedGates: readonly string[];
  readonly notes: readonly string[];
}

/** A bench's table as aligned text. */
export function benchText({ columns, rows, failedGates, notes }: BenchTable): string {
  const gates = failedGates.length === 0 ? ['Gates: all hold.'] : failedGates.map((gate) => `GATE FAILED: ${gate}`);
  return textTable({ title: '', columns, rows, notes: [...notes, ...gates] });
}
