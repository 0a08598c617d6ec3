import type { Chart } from '../result/chart.ts';
import type { ReportCell, ReportClaim, ExperimentResult, Gate, Table } from '../result/summary.ts';
import type { Lab } from '../lab.ts';

/** What an experiment found. What it leaves out is empty. */
export interface Findings {
  /** The answer, as a sentence; made from the figures, since a sentence that is fixed lies on the next run. */
  readonly finding: string;
  readonly charts?: readonly Chart[];
  readonly tables?: readonly Table[];
  readonly claims?: readonly ReportClaim[];
  readonly gates?: readonly Gate[];
  readonly cells?: readonly ReportCell[];
  readonly notes?: readonly string[];
  readonly traces?: ExperimentResult['traces'];
}

/** One question asked of the program. It runs as long as the lab lets it, and answers with what it has when it is stopped. */
export interface Experiment {
  readonly name: string;
  readonly question: string;
  run(lab: Lab): Promise<Findings>;
}
