import { junitXml, sarifLog, shownInLine, workflowCommand } from '#report';
import type { JunitCase } from '#report';
import type { EditorFinding } from '#editing';
import type { ToolForm } from './forms.ts';

/**
 * Error, warning or note (finding) about a file, with the kind of problem to which it belongs. Reports for tools, such as SARIF, list these
 * problems.
 */
export interface Problem {
  /** Id of the kind of problem; a key of `rules` in the report. */
  readonly rule: string;
  readonly finding: EditorFinding;
  /** Path of the file as the report shows it. */
  readonly file: string;
  /** Name of the object or definition that the finding is about, such as `Widget "a"`. */
  readonly about: string;
}

/** Result of a command, from which output for other tools is written, such as SARIF or JUnit. */
export interface ToolReport {
  /** Descriptions of the kinds of problems, by id. */
  readonly rules: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  /** Test cases: the evaluated definitions and objects with their files. The JUnit form creates one suite per file. */
  readonly cases: readonly JunitCase[];
}

/** Returns a report in a format for tools, such as JUnit or SARIF. */
export function toolReport(form: ToolForm, { rules, problems, cases }: ToolReport): string {
  switch (form) {
    case 'unix':
      return problems.map(unixLine).join('');
    case 'github':
      return problems.map(annotation).join('');
    case 'sarif':
      return sarifLog(rules, problems.map(sarifResult));
    case 'junit':
      return junitXml([...Map.groupBy(cases, ({ classname }) => classname)].map(([name, inFile]) => ({ name, cases: inFile })));
  }
}

function unixLine({ finding, file, about }: Problem): string {
  const { location, severity } = finding;
  const place = location === undefined ? `${file}:1:1` : `${file}:${location.line}:${location.column}`;
  return `${shownInLine(`${place}: ${severity}: ${sentence(finding, about)}`)}\n`;
}

const sentence = ({ field, message }: EditorFinding, about: string): string =>
  [about, ...(field === undefined ? [] : [field]), message].join(': ');

function annotation({ finding, file, about }: Problem): string {
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

function sarifResult({ rule, finding, file, about }: Problem): Parameters<typeof sarifLog>[1][number] {
  const { severity, location } = finding;
  return {
    rule,
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
}

/** Kinds of problems that the command line reports, with descriptions by id. */
export const PROBLEM_RULES = {
  'refused-definition': 'The API server refuses this CustomResourceDefinition',
  'refused-policy': 'The API server refuses this admission policy or binding',
  'rejected-object': 'The API server refuses a write of this object',
  warning: 'The API server answers a write with this warning',
  advice: 'A rule of a definition would be better otherwise (docs/reference/advice.md)',
} as const;

/** Returns the id of the kind of problem to which a finding about an admission policy belongs, a key of {@link PROBLEM_RULES}. */
export const policyProblemRule = ({ severity }: EditorFinding): keyof typeof PROBLEM_RULES =>
  severity === 'error' ? 'refused-policy' : 'warning';

/**
 * Returns the id of the kind of problem to which a finding belongs, a key of {@link PROBLEM_RULES}. `about` names the object or definition
 * that the finding is about, such as `Widget "a"`.
 */
export function problemRule({ severity }: EditorFinding, about: string): keyof typeof PROBLEM_RULES {
  if (severity === 'warning') return 'warning';
  if (severity === 'note' && about.startsWith('CustomResourceDefinition ')) return 'advice';
  return about.startsWith('CustomResourceDefinition ') ? 'refused-definition' : 'rejected-object';
}
