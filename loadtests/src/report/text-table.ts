/** Table with rows and column headings; `title` may be empty. */
export interface TextTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

/** Returns a table as aligned text. */
export function textTable({ title, columns, rows, notes }: TextTable): string {
  const widths = columns.map((column, i) => Math.max(column.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [
    ...(title === '' ? [] : [title]),
    line(columns),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
    '',
    ...notes,
    '',
  ].join('\n');
}
