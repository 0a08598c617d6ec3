import { drawableCharts } from '#charts';
import type { Chart } from '#charts';
import type { ReportCell, ReportClaim, Gate, Table } from '../result/summary.ts';
import type { Lab } from '../lab.ts';

/** What an experiment found. What it leaves out is empty. */
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
 * One question asked of the program. Measuring gives plain data, as much as there is when the lab ends it: what is missing is undefined or
 * empty. What was found is a function of those data alone, and says of what is missing that it was not measured.
 */
export interface Experiment<Data> {
  readonly name: string;
  readonly question: string;
  measure(lab: Lab): Promise<Data>;
  findings(data: Data): Findings;
}

/** What an experiment finds in data, with charts only of what can be drawn, and no table without a row. */
export function conclude<Data>(experiment: Experiment<Data>, data: Data): Findings {
  const findings = experiment.findings(data);
  const tables = (findings.tables ?? []).filter(({ rows }) => rows.length > 0);
  return { ...findings, charts: drawableCharts(findings.charts ?? []), tables };
}
