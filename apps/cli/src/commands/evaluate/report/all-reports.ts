import type { EvaluationReport } from './report.ts';

/**
 * Functions that load and begin the report of each output format. The formats are in the order in which the help lists them. Only the code
 * of the chosen format is loaded.
 */
const REPORTS = {
  text: async () => new (await import('./text.ts')).TextReport(),
  json: async () => new (await import('./json.ts')).JsonReport(),
  yaml: async () => new (await import('./yaml.ts')).YamlReport(),
  table: async () => new (await import('./table.ts')).TableReport(),
  unix: async () => new (await import('./problems.ts')).ProblemLines('unix'),
  junit: async () => new (await import('./problems.ts')).GatheredProblems('junit'),
  sarif: async () => new (await import('./problems.ts')).GatheredProblems('sarif'),
  github: async () => new (await import('./problems.ts')).ProblemLines('github'),
} satisfies Readonly<Record<string, () => Promise<EvaluationReport>>>;

/** Output format of an evaluation, one of {@link EVALUATION_FORMS}. */
export type EvaluationForm = keyof typeof REPORTS;

/** Output formats of an evaluation, in the order in which the help lists them. */
export const EVALUATION_FORMS = Object.keys(REPORTS) as readonly EvaluationForm[];

/** Begins a report in an output format. */
export const beginReport = (form: EvaluationForm): Promise<EvaluationReport> => REPORTS[form]();
