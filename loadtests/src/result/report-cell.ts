import { median } from '#benchmark';
import type { ReportCell } from './summary.ts';

/** Measured figures for one cell of the report, which is a figure by which runs are compared. The cell shows their median. */
export interface CellFigures extends Pick<ReportCell, 'id' | 'unit'> {
  readonly samples: readonly (number | undefined)[];
}

/**
 * Returns a cell with the median of its samples. Returns an empty list if nothing was measured, so that a comparison of runs leaves out the
 * cell.
 */
export function medianCell({ id, unit, samples }: CellFigures): ReportCell[] {
  const known = samples.filter((sample) => sample !== undefined && Number.isFinite(sample)) as number[];
  const value = median(known);
  return value === undefined ? [] : [{ id, unit, samples: known, value }];
}
