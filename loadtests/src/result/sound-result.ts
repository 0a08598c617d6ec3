import { chartSchema, countedText } from '#charts';
import { experimentSchema } from './summary.ts';
import type { ReportCell, ExperimentResult } from './summary.ts';

/**
 * A result of which everything can be written: cells without a figure say null, and a chart that holds no number where one belongs is left
 * out with a note. One experiment that was cut short must not take the others' results with it.
 */
export function soundResult(result: ExperimentResult): ExperimentResult {
  const charts = result.charts.filter((one) => chartSchema.safeParse(one).success);
  const left = result.charts.length - charts.length;
  const sound = {
    ...result,
    charts,
    cells: result.cells.map(soundCell),
    notes: left === 0 ? result.notes : [...result.notes, `${countedText(left, 'chart')} left out: too little was measured.`],
  };
  const checked = experimentSchema.safeParse(sound);
  if (checked.success) return sound;
  const why = checked.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`).join('; ');
  const seconds = Number.isFinite(sound.seconds) ? sound.seconds : 0;
  return { ...sound, seconds, status: 'failed', why, charts: [], tables: [], claims: [], gates: [], cells: [], notes: [], traces: [] };
}

const isFigure = (value: number | null): boolean => value !== null && Number.isFinite(value);

function soundCell(cell: ReportCell): ReportCell {
  return { ...cell, samples: cell.samples.filter(isFigure), value: isFigure(cell.value) ? cell.value : null };
}
