import { cutText, shownInLine } from '#report';

/** Layout of a table. */
export interface TableForm {
  readonly headings: readonly string[];
  /** Headings of columns that contain numbers and are right-aligned. */
  readonly toTheRight: ReadonlySet<string>;
  /** Text columns that may be narrowed, each with its minimum width. They are narrowed in this order. */
  readonly flexible: readonly (readonly [heading: string, least: number])[];
}

/**
 * Returns the lines of a table: headings, then rows. Empty columns are left out. Text columns are narrowed until a row fits into `room`
 * characters.
 */
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
        const text = cutText(row[i] ?? '', width);
        const space = ' '.repeat(width - [...text].length);
        return toTheRight.has(headings[i] as string) ? space + text : text + space;
      })
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => shownInLine(`  ${line}`));
}

/**
 * Narrows the text columns in `flexible` until a row fits into `room` characters. Returns the widths of all columns. A row has two spaces
 * before each column.
 */
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

/** Output stream of the process. */
interface Output {
  /** Width of the terminal in characters. Undefined if the output is not a terminal. */
  readonly columns?: number | undefined;
}

/**
 * Returns the highest width of a table, in characters: the number in the environment variable `COLUMNS`, or the width of the terminal.
 * Returns undefined if neither is known, so that a table in a pipe or a file is whole.
 */
export function tableWidth(variables: NodeJS.ProcessEnv = process.env, output: Output = process.stdout): number | undefined {
  const { COLUMNS = '' } = variables;
  return /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : output.columns;
}
