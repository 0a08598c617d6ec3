import type { JunitCase } from '#report';
import { shownText } from '#report';
import type { EvaluationOutcome } from '../evaluate.ts';
import type { PlacedReport } from '../place-findings.ts';
import { evaluationTable } from './evaluation-table.ts';
import { evaluationText } from './evaluation-text.ts';
import type { EvaluationView } from './evaluation-view.ts';
import type { ShownFinding } from './finding-lines.ts';
import { PROBLEM_RULES, policyProblemRule, problemRule } from './problem-rules.ts';
import { TOOL_FORMS, toolReport } from './tool-forms.ts';
import type { Problem } from './tool-forms.ts';

/**
 * Forms in which the problems of an evaluation are written, for display and for tools. JSON and YAML are excluded because they contain the
 * complete outcome.
 */
export const PROBLEM_REPORTS = ['text', 'table', ...TOOL_FORMS] as const;

/** Form of a problem report, one of {@link PROBLEM_REPORTS}. */
export type ProblemReport = (typeof PROBLEM_REPORTS)[number];

/** Returns an outcome in the chosen report format. */
export function evaluationReport(form: ProblemReport, outcome: EvaluationOutcome, view: EvaluationView): string {
  switch (form) {
    case 'text':
      return evaluationText(outcome, view);
    case 'table':
      return shownText(evaluationTable(outcome, view));
    case 'github':
    case 'junit':
    case 'sarif':
    case 'unix':
      return toolReport(form, {
        rules: PROBLEM_RULES,
        problems: problemsOf(outcome, view),
        cases: casesOf(outcome, view),
      });
  }
}

/** The parts of an evaluation's outcome that a report shows as cases and problems. */
type ShownOutcome = Pick<EvaluationOutcome, 'definitions' | 'policyReports' | 'items'>;

/**
 * Returns all findings of an evaluation for reports such as SARIF, each with the kind of problem (`rule` in the report) to which it
 * belongs.
 */
export function problemsOf({ definitions, policyReports = [], items }: ShownOutcome, view: EvaluationView): Problem[] {
  const shown: ShownFinding[] = [
    ...definitions.flatMap((one) => view.findingsOf(one, `CustomResourceDefinition ${JSON.stringify(one.name)}`)),
    ...items.flatMap((item) => view.findingsOf(item, view.nameOf(item))),
  ];
  const ofPolicies = policyReports.flatMap((report) => view.findingsOfPolicy(report));
  return [
    ...shown.map((one) => ({ ...one, rule: problemRule(one.finding, one.about) })),
    ...ofPolicies.map((one) => ({ ...one, rule: policyProblemRule(one.finding) })),
  ];
}

/** Returns a JUnit test case for each definition, policy and object. If an object was not evaluated or was cancelled, its case is skipped. */
export function casesOf({ definitions, policyReports = [], items }: ShownOutcome, view: EvaluationView): JunitCase[] {
  return [
    ...definitions.map((one) => ({
      ...caseOf(one),
      name: `CustomResourceDefinition ${JSON.stringify(one.name)}`,
      failure: one.status?.message,
    })),
    ...policyReports.map((one) => ({
      ...caseOf(one),
      name: `${one.kind} ${JSON.stringify(one.name)}`,
      failure: one.status?.message,
    })),
    ...items.map((item) => ({
      ...caseOf(item),
      name: view.nameOf(item),
      failure: item.outcome === 'rejected' ? (item.status?.message ?? 'refused') : undefined,
      skipped: item.outcome === 'notEvaluated' || item.outcome === 'cancelled' ? (item.status?.message ?? item.outcome) : undefined,
    })),
  ];
}

function caseOf({ location, source, findings }: PlacedReport): {
  readonly classname: string;
  readonly file: string;
  readonly line?: number;
} {
  const line = findings?.find(({ severity }) => severity === 'error')?.location?.line ?? location?.line;
  const file = location?.file ?? source;
  return { classname: file, file, ...(line !== undefined && { line }) };
}
