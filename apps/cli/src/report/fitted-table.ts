import { cut, shownInLine } from '#report-forms';

/** The form of a table. */
export interface TableForm {
  readonly headings: readonly string[];
  /** Headings of columns of numbers. */
  readonly toTheRight: ReadonlySet<string>;
  /** Columns of text that may be made narrower, the first ones first, and the least width that each keeps. */
  readonly flexible: readonly (readonly [heading: string, least: number])[];
}

/** Returns the lines of a table: headings, then rows. Columns that are empty are left out; columns of text are made narrower until a row fits. */
export function fittedTable(
  { headings, toTheRight, flexible }: TableForm,
  rows: readonly (readonly string[])[],
  room = Infinity,
): string[] {
  const all = [headings, ...rows];
  const columns = headings.map((_, i) => i).filter((i) => rows.some((row) => row[i] !== ''));
  const natural = new Map(columns.map((i) => [i, all.reduce((most, row) => Math.max(most, [...(row[i] ?? '')].length), 0)]));
  const widths = fitted(
    natural,
    flexible.map(([heading, least]) => [headings.indexOf(heading), least]),
    room,
  );
  const lines = all.map((row) =>
    columns
      .map((i) => {
        const width = widths.get(i) ?? 0;
        const text = cut(row[i] ?? '', width);
        const space = ' '.repeat(width - [...text].length);
        return toTheRight.has(headings[i] as string) ? space + text : text + space;
      })
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => shownInLine(`  ${line}`));
}

/** Returns the widths of columns, with those of texts made narrower until a row fits. Two spaces are in front of each column. */
function fitted(
  widths: ReadonlyMap<number, number>,
  flexible: readonly (readonly [column: number, least: number])[],
  room: number,
): ReadonlyMap<number, number> {
  const narrowed = new Map(widths);
  for (const [column, least] of flexible) {
    const width = narrowed.get(column) ?? 0;
    const excess = [...narrowed.values()].reduce((sum, one) => sum + one + 2, 0) - room;
    if (excess > 0) narrowed.set(column, Math.max(Math.min(width, least), width - excess));
  }
  return narrowed;
}
