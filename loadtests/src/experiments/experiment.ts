import { drawableCharts } from '#report/charts';
import type { Chart } from '#report/charts';
import type { ReportCell, ReportClaim, Gate, Table } from '../result/summary.ts';
import type { Lab } from '../lab.ts';

/** Findings of an experiment. An absent list counts as empty. */
export interface Findings {
  /**
   * Answer to the experiment's question as a sentence. The sentence is generated from the figures, because a fixed sentence could be wrong
   * for another run.
   */
  readonly finding: string;
  readonly charts?: readonly Chart[];
  readonly tables?: readonly Table[];
  readonly claims?: readonly ReportClaim[];
  readonly gates?: readonly Gate[];
  readonly cells?: readonly ReportCell[];
  readonly notes?: readonly string[];
}

/**
 * Experiment that answers one question about the program. `measure` returns plain data, in which missing parts are undefined or empty if
 * the lab ends the experiment early. `findings` depend only on the data and state which parts were not measured.
 */
export interface Experiment<Data> {
  readonly name: string;
  readonly question: string;
  /** True if a run without names leaves out the experiment, because it needs more programs. */
  readonly isRunByName?: boolean;
  measure(lab: Lab): Promise<Data>;
  findings(data: Data): Findings;
}

/** Returns the findings that an experiment derives from data, without empty charts and tables. */
export function conclude<Data>(experiment: Experiment<Data>, data: Data): Findings {
  const findings = experiment.findings(data);
  const tables = (findings.tables ?? []).filter(({ rows }) => rows.length > 0);
  return { ...findings, charts: drawableCharts(findings.charts ?? []), tables };
}
