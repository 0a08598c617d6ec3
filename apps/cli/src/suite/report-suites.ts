import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { styleText } from 'node:util';
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
      return `${JSON.stringify(sarif(results), null, 2)}\n`;
    case 'github':
      return [...failed(results), ...unsupported(results)].map(annotation).join('');
  }
}

const failed = (results: readonly CaseResult[]): CaseResult[] =>
  results.filter(({ passed, notSupported }) => !passed && notSupported === undefined);
const unsupported = (results: readonly CaseResult[]): CaseResult[] => results.filter(({ notSupported }) => notSupported !== undefined);

/** Colours only where standard output is a terminal that wants them. */
function text(results: readonly CaseResult[]): string {
  const lines: string[] = [];
  for (const [file, cases] of Map.groupBy(results, ({ file }) => file)) {
    lines.push(shownInLine(`${file}: ${cases[0]?.suite ?? ''}`));
    for (const result of cases) {
      const why = whyNot(result);
      lines.push(`  ${mark(result)} ${shownInLine(result.name)}`, ...(why === undefined ? [] : [shownText(indented(why, '       '))]));
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

/** Why a case has not passed; undefined: it has. */
const whyNot = ({ problem, notSupported }: CaseResult): string | undefined =>
  notSupported === undefined ? problem : `not supported: ${notSupported}`;

function junit(results: readonly CaseResult[]): string {
  const suites = [...Map.groupBy(results, ({ file }) => file)].map(([file, cases]) => {
    const body = cases.map((result) => {
      const { name, line, problem, notSupported } = result;
      const at = line === undefined ? '' : ` line="${line}"`;
      const open = `    <testcase classname="${xml(file)}" name="${xml(name)}" file="${xml(file)}"${at} time="${seconds([result])}"`;
      if (notSupported !== undefined) return `${open}><skipped message="${xml(notSupported)}"/></testcase>`;
      return problem === undefined ? `${open}/>` : `${open}><failure message="${xml(problem)}"/></testcase>`;
    });
    return [`  <testsuite name="${xml(cases[0]?.suite ?? file)}" ${counts(cases)}>`, ...body, '  </testsuite>'].join('\n');
  });
  const root = `<testsuites name="assay" ${counts(results)}>`;
  return `${['<?xml version="1.0" encoding="UTF-8"?>', root, ...suites, '</testsuites>'].join('\n')}\n`;
}

const counts = (cases: readonly CaseResult[]): string =>
  `tests="${cases.length}" failures="${failed(cases).length}" errors="0"${skipped(cases)} time="${seconds(cases)}"`;
/** Told where there is any. */
function skipped(cases: readonly CaseResult[]): string {
  const count = unsupported(cases).length;
  return count === 0 ? '' : ` skipped="${count}"`;
}
const seconds = (cases: readonly CaseResult[]): string =>
  (cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000).toFixed(3);

/** Source: SARIF 2.1.0 (OASIS). Lines and columns count from 1. */
function sarif(results: readonly CaseResult[]): unknown {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'assay',
            rules: [{ id: 'suite-case', shortDescription: { text: 'A case of a test suite did not end as expected' } }],
          },
        },
        results: [...failed(results), ...unsupported(results)].map(({ file, line, name, problem = '', notSupported }) => ({
          ruleId: 'suite-case',
          ...(notSupported === undefined ? { level: 'error' } : { kind: 'notApplicable', level: 'none' }),
          message: { text: `${name}: ${notSupported === undefined ? problem : `not supported: ${notSupported}`}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: isAbsolute(file) ? pathToFileURL(file).href : encodeURI(file) },
                ...(line !== undefined && { region: { startLine: line } }),
              },
            },
          ],
        })),
      },
    ],
  };
}

/** A workflow command of GitHub, which shows the problem beside the case. */
function annotation({ file, line, name, problem = '', notSupported }: CaseResult): string {
  const at = line === undefined ? '' : `,line=${line}`;
  if (notSupported !== undefined)
    return `::warning file=${escapeProperty(file)}${at},title=${escapeProperty(name)}::not supported: ${escapeData(notSupported)}\n`;
  return `::error file=${escapeProperty(file)}${at},title=${escapeProperty(name)}::${escapeData(problem)}\n`;
}

const XML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
/** Text inside an attribute. What XML 1.0 cannot hold, escaped or not, becomes a replacement character. */
const xml = (value: string): string =>
  value
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, (character) => XML[character] ?? character);
/** Escapes of GitHub's workflow commands. */
const escapeData = (value: string): string => value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (value: string): string => escapeData(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
