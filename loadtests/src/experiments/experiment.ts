import { drawableCharts } from '#charts';
import type { Chart } from '#charts';
import type { ReportCell, ReportClaim, Gate, Table } from '../result/summary.ts';
import type { Lab } from '../lab.ts';

/** The findings of an experiment. Parts that it leaves out are empty. */
export interface Findings {
  /** The answer, as a sentence; made from the figures, because a fixed sentence would be wrong for the next run. */
  readonly finding: string;
  readonly charts?: readonly Chart[];
  readonly tables?: readonly Table[];
  readonly claims?: readonly ReportClaim[];
  readonly gates?: readonly Gate[];
  readonly cells?: readonly ReportCell[];
  readonly notes?: readonly string[];
}

/**
 * One question asked of the program. Measuring gives plain data. If the lab ends it early, missing parts are undefined or empty. The findings depend on
 * the data only, and say which parts were not measured.
 */
export interface Experiment<Data> {
  readonly name: string;
  readonly question: string;
  measure(lab: Lab): Promise<Data>;
  findings(data: Data): Findings;
}

/** Returns the findings of an experiment in data, without empty charts and tables. */
export function conclude<Data>(experiment: Experiment<Data>, data: Data): Findings {
  const findings = experiment.findings(data);
  const tables = (findings.tables ?? []).filter(({ rows }) => rows.length > 0);
  return { ...findings, charts: drawableCharts(findings.charts ?? []), tables };
}
