import { NOT_MEASURED, significantText } from '#numbers';
import { textTable } from '../report/text-table.ts';

/** Measured figure with its allowed maximum or minimum. */
export interface WantedFigure {
  readonly name: string;
  /** Measured value; undefined if it was not measured. */
  readonly value: number | undefined;
  readonly most?: number;
  readonly least?: number;
}

/** Result of a bench: a table of figures, and figures with an allowed maximum or minimum. */
export interface BenchTable {
  /** Column headings; empty if the bench has only the figures in `wanted`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly wanted: readonly WantedFigure[];
  /** True if a figure beyond its limit is reported but does not fail the bench. */
  readonly isForInformation?: boolean;
  readonly notes: readonly string[];
}

/** Returns true if the figure is within its limits, and false if it exceeds a limit. Returns undefined if the figure was not measured. */
function meets({ value, most = Infinity, least = -Infinity }: WantedFigure): boolean | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value <= most && value >= least;
}

/**
 * Returns true if no figure fails the bench. Figures that were not measured are ignored. Always returns true for a table that is for
 * information only.
 */
export const holds = ({ wanted, isForInformation = false }: BenchTable): boolean =>
  isForInformation || wanted.every((figure) => meets(figure) !== false);

/** Returns a bench's table as aligned text, followed by the figures with limits. */
export function benchText({ columns, rows, wanted, isForInformation = false, notes }: BenchTable): string {
  const missed = isForInformation ? 'missed' : 'FAILS';
  const verdicts = wanted.map((figure) => {
    const met = meets(figure);
    const { name, value, most, least } = figure;
    const bound = most === undefined ? (least === undefined ? '' : `≥ ${significantText(least)}`) : `≤ ${significantText(most)}`;
    return [
      name,
      met === undefined ? NOT_MEASURED : significantText(value ?? 0),
      bound,
      met === undefined || bound === '' ? '' : met ? 'met' : missed,
    ];
  });
  const output = rows.length + verdicts.length === 0 ? [...notes, 'Nothing was measured.'] : notes;
  const tables = [
    { columns, rows },
    { columns: ['figure', 'measured', 'wanted', ''], rows: verdicts },
  ].filter((table) => table.rows.length > 0);
  return [...tables.map((table) => textTable({ title: '', ...table, notes: [] })), ...output, ''].join('\n');
}
