import { styleText } from 'node:util';
import { indented, jsonText, junitXml, sarifLog, shownInLine, workflowCommand } from '#report';
import type { CaseResult } from './suite.ts';

/** Output format of the report on test suites. */
export type SuiteReport = 'text' | 'json' | 'junit' | 'sarif' | 'github';

/** Returns the results of suite cases as text, in the given form. */
export function suiteReport(form: SuiteReport, results: readonly CaseResult[]): string {
  switch (form) {
    case 'text':
      return text(results);
    case 'json':
      return `${jsonText(results)}\n`;
    case 'junit':
      return junit(results);
    case 'sarif':
      return sarif(results);
    case 'github':
      return [...failed(results), ...unsupported(results)].map(annotation).join('');
  }
}

const failed = (results: readonly CaseResult[]): CaseResult[] =>
  results.filter(({ passed, notSupported }) => !passed && notSupported === undefined);
const unsupported = (results: readonly CaseResult[]): CaseResult[] => results.filter(({ notSupported }) => notSupported !== undefined);

/** Returns the results as readable text. Colours are used only if standard output is a terminal that permits them. */
function text(results: readonly CaseResult[]): string {
  const lines: string[] = [];
  for (const [file, cases] of Map.groupBy(results, ({ file }) => file)) {
    lines.push(shownInLine(`${file}: ${cases[0]?.suite ?? ''}`));
    for (const result of cases) {
      const why = whyNot(result);
      lines.push(`  ${mark(result)} ${shownInLine(result.name)}`, ...(why === undefined ? [] : [indented(why, '       ')]));
    }
  }
  const [failures, others] = [failed(results).length, unsupported(results).length];
  const passed = results.length - failures - others;
  lines.push(
    `Summary: ${results.length} cases - Passed: ${passed}, Failed: ${failures}${others === 0 ? '' : `, Not supported: ${others}`}`,
  );
  return `${lines.join('\n')}\n`;
}

function mark({ passed, notSupported }: CaseResult): string {
  if (notSupported !== undefined) return styleText('yellow', 'none');
  return passed ? styleText('green', 'ok  ') : styleText('red', 'FAIL');
}

/** Returns the reason why a case has not passed; undefined if the case has passed. */
const whyNot = ({ problem, notSupported }: CaseResult): string | undefined =>
  notSupported === undefined ? problem : `not supported: ${notSupported}`;

function junit(results: readonly CaseResult[]): string {
  return junitXml(
    [...Map.groupBy(results, ({ file }) => file)].map(([file, cases]) => ({
      name: cases[0]?.suite ?? file,
      cases: cases.map(({ name, line, milliseconds, problem, notSupported }) => ({
        name,
        classname: file,
        file,
        line,
        time: milliseconds,
        failure: notSupported === undefined ? problem : undefined,
        skipped: notSupported,
      })),
    })),
  );
}

function sarif(results: readonly CaseResult[]): string {
  return sarifLog(
    { 'suite-case': 'A case of a test suite did not end as expected' },
    [...failed(results), ...unsupported(results)].map((result) => ({
      rule: 'suite-case',
      level: result.notSupported === undefined ? 'error' : 'notApplicable',
      message: `${result.name}: ${whyNot(result) ?? ''}`,
      file: result.file,
      region: result.line === undefined ? undefined : { startLine: result.line },
    })),
  );
}

/** Returns the GitHub workflow command that annotates the line of a case with the problem of this case. */
function annotation(result: CaseResult): string {
  const { file, line, name, notSupported } = result;
  return workflowCommand({
    level: notSupported === undefined ? 'error' : 'warning',
    file,
    line,
    title: name,
    message: whyNot(result) ?? '',
  });
}
