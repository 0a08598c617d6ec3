import type { Table } from '../experiments/experiment.ts';

/** A table as aligned text. */
export function textTable({ columns, rows, notes, failedGates }: Table): string {
  const widths = columns.map((column, i) => Math.max(column.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  const gates = failedGates.length === 0 ? ['Gates: all hold.'] : failedGates.map((gate) => `GATE FAILED: ${gate}`);
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), '', ...notes, ...gates, ''].join('\n');
}
