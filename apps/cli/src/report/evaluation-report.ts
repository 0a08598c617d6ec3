import { junitXml, sarifLog, workflowCommand } from '#report-forms';
import type { Finding } from '#source';
import type { EvaluationOutcome } from '../evaluate.ts';
import type { PlacedReport } from '../place-findings.ts';
import { shownInLine, shownText } from '../shown-text.ts';
import { evaluationTable } from './evaluation-table.ts';
import { evaluationText } from './evaluation-text.ts';
import type { EvaluationView } from './evaluation-view.ts';
import type { ShownFinding } from './finding-lines.ts';

/** The forms in which an evaluation can be written for people and for tools that read problems; JSON and YAML hold all there is. */
export const PROBLEM_REPORTS = ['text', 'table', 'unix', 'junit', 'sarif', 'github'] as const;

/** One of {@link PROBLEM_REPORTS}. */
export type ProblemReport = (typeof PROBLEM_REPORTS)[number];

/** An outcome in one of the forms. */
export function evaluationReport(form: ProblemReport, outcome: EvaluationOutcome, view: EvaluationView): string {
  switch (form) {
    case 'text':
      return evaluationText(outcome, view);
    case 'table':
      return shownText(evaluationTable(outcome, view));
    case 'unix':
      return allFindings(outcome, view)
        .map(
          ({ finding, file, about }) => `${shownInLine(`${placeText(file, finding)}: ${finding.severity}: ${sentence(finding, about)}`)}\n`,
        )
        .join('');
    case 'junit':
      return junit(outcome, view);
    case 'sarif':
      return sarif(outcome, view);
    case 'github':
      return allFindings(outcome, view).map(annotation).join('');
  }
}

function allFindings({ definitions, policyReports = [], items }: EvaluationOutcome, view: EvaluationView): ShownFinding[] {
  return [
    ...definitions.flatMap((one) => view.findingsOf(one, `CustomResourceDefinition ${JSON.stringify(one.name)}`)),
    ...policyReports.flatMap((report) => view.findingsOfPolicy(report)),
    ...items.flatMap((item) => view.findingsOf(item, view.nameOf(item))),
  ];
}

const placeText = (file: string, { location }: Finding): string =>
  location === undefined ? `${file}:1:1` : `${file}:${location.line}:${location.column}`;
const sentence = ({ field, message }: Finding, about: string): string =>
  [about, ...(field === undefined ? [] : [field]), message].join(': ');

function annotation({ finding, file, about }: ShownFinding): string {
  const { severity, location, field, message } = finding;
  return workflowCommand({
    level: severity === 'note' ? 'notice' : severity,
    file,
    line: location?.line,
    column: location?.column,
    title: about,
    message: field === undefined ? message : `${field}: ${message}`,
  });
}

function sarif(outcome: EvaluationOutcome, view: EvaluationView): string {
  return sarifLog(
    {
      'refused-definition': 'The API server refuses this CustomResourceDefinition',
      'rejected-object': 'The API server rejects a write of this object',
      warning: 'The API server answers a write with this warning',
    },
    allFindings(outcome, view).map(({ finding, file, about }) => {
      const { severity, location } = finding;
      const refused = about.startsWith('CustomResourceDefinition ') ? 'refused-definition' : 'rejected-object';
      return {
        rule: severity === 'warning' ? 'warning' : refused,
        level: severity,
        message: sentence(finding, about),
        file,
        region: location && {
          startLine: location.line,
          startColumn: location.column,
          endLine: location.endLine,
          endColumn: Math.max(location.endColumn, location.endLine === location.line ? location.column + 1 : 1),
        },
      };
    }),
  );
}

/** A suite a file; a case a definition or an object. What was not evaluated is skipped. */
function junit({ definitions, items }: EvaluationOutcome, view: EvaluationView): string {
  const cases = [
    ...definitions.map((one) => ({
      ...caseOf(one),
      name: `CustomResourceDefinition ${JSON.stringify(one.name)}`,
      failure: one.status?.message,
    })),
    ...items.map((item) => ({
      ...caseOf(item),
      name: view.nameOf(item),
      failure: item.outcome === 'rejected' ? (item.status?.message ?? 'rejected') : undefined,
      skipped: item.outcome === 'notEvaluated' || item.outcome === 'cancelled' ? (item.status?.message ?? item.outcome) : undefined,
    })),
  ];
  return junitXml([...Map.groupBy(cases, ({ file }) => file)].map(([file, inFile]) => ({ name: file, cases: inFile })));
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
