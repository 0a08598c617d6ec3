import { styleText } from 'node:util';
import { junitXml } from '../report/junit.ts';
import { sarifLog } from '../report/sarif.ts';
import { workflowCommand } from '../report/workflow-command.ts';
import { indented, shownInLine, shownText } from '../shown-text.ts';
import type { CaseResult } from './suite.ts';

/** The forms in which results can be written. */
export const SUITE_REPORTS = ['text', 'json', 'junit', 'sarif', 'github'] as const;

/** One of {@link SUITE_REPORTS}. */
export type SuiteReport = (typeof SUITE_REPORTS)[number];

/** Results in one of the forms. */
export function suiteReport(form: SuiteReport, results: readonly CaseResult[]): string {
  switch (form) {
    case 'text':
      return text(results);
    case 'json':
      return `${JSON.stringify(results, null, 2)}\n`;
    case 'junit':
      return junit(results);
    case 'sarif':
      return sarif(results);
    case 'github':
      return failed(results)
        .map(({ file, line, name, problem = '' }) => workflowCommand({ level: 'error', file, line, title: name, message: problem }))
        .join('');
  }
}

const failed = (results: readonly CaseResult[]): CaseResult[] => results.filter(({ passed }) => !passed);

/** Colours only where standard output is a terminal that wants them. */
function text(results: readonly CaseResult[]): string {
  const lines: string[] = [];
  for (const [file, cases] of Map.groupBy(results, ({ file }) => file)) {
    lines.push(shownInLine(`${file}: ${cases[0]?.suite ?? ''}`));
    for (const { passed, name, problem } of cases)
      lines.push(
        `  ${passed ? styleText('green', 'ok  ') : styleText('red', 'FAIL')} ${shownInLine(name)}`,
        ...(problem === undefined ? [] : [shownText(indented(problem, '       '))]),
      );
  }
  const failures = failed(results).length;
  lines.push(`Summary: ${results.length} cases - Passed: ${results.length - failures}, Failed: ${failures}`);
  return `${lines.join('\n')}\n`;
}

function junit(results: readonly CaseResult[]): string {
  return junitXml(
    [...Map.groupBy(results, ({ file }) => file)].map(([file, cases]) => ({
      name: cases[0]?.suite ?? file,
      cases: cases.map(({ name, line, milliseconds, problem }) => ({ name, file, line, time: milliseconds, failure: problem })),
    })),
  );
}

function sarif(results: readonly CaseResult[]): string {
  return sarifLog(
    { 'suite-case': 'A case of a test suite did not end as expected' },
    failed(results).map(({ file, line, name, problem = '' }) => ({
      rule: 'suite-case',
      level: 'error',
      message: `${name}: ${problem}`,
      file,
      region: line === undefined ? undefined : { startLine: line },
    })),
  );
}
