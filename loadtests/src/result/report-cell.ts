import { median } from '#benchmark';
import type { ReportCell } from './summary.ts';

/** What a cell is made of. */
export interface CellFigures extends Pick<ReportCell, 'id' | 'unit'> {
  readonly samples: readonly (number | undefined)[];
}

/** A cell that its median stands for; none where nothing was measured, so that no other run is compared with it. */
export function medianCell({ id, unit, samples }: CellFigures): ReportCell[] {
  const known = samples.filter((sample) => sample !== undefined && Number.isFinite(sample)) as number[];
  const value = median(known);
  return value === undefined ? [] : [{ id, unit, samples: known, value }];
}
