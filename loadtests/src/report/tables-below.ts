import type { ExperimentResult, Table } from '../result/summary.ts';

/** The tables of an experiment that stand below one of its charts; for undefined, those that stand below all charts. */
export function tablesBelow({ charts, tables }: Pick<ExperimentResult, 'charts' | 'tables'>, chart: string | undefined): Table[] {
  const placeOf = ({ below }: Table): string | undefined => (charts.some(({ id }) => id === below) ? below : undefined);
  return tables.filter((table) => placeOf(table) === chart);
}
