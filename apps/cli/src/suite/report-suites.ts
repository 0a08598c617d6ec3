import type { CaseResult } from './suite.ts';

/** The forms in which results can be written. */
export const SUITE_REPORTS = ['text', 'json', 'junit', 'sarif', 'github'] as const;
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
      return failed(results)
        .map(
          ({ file, name, problem = '' }) => `::error file=${escapeProperty(file)},title=${escapeProperty(name)}::${escapeData(problem)}\n`,
        )
        .join('');
  }
}

const failed = (results: readonly CaseResult[]): CaseResult[] => results.filter(({ passed }) => !passed);

function text(results: readonly CaseResult[]): string {
  const lines: string[] = [];
  for (const [file, cases] of Map.groupBy(results, ({ file }) => file)) {
    lines.push(`${file}: ${cases[0]?.suite ?? ''}`);
    for (const { passed, name, problem } of cases)
      lines.push(`  ${passed ? 'ok  ' : 'FAIL'} ${name}`, ...(problem === undefined ? [] : [`       ${problem}`]));
  }
  const failures = failed(results).length;
  lines.push(`Summary: ${results.length} cases - Passed: ${results.length - failures}, Failed: ${failures}`);
  return `${lines.join('\n')}\n`;
}

function junit(results: readonly CaseResult[]): string {
  const suites = [...Map.groupBy(results, ({ file }) => file)].map(([file, cases]) => {
    const body = cases.map(({ name, milliseconds, problem }) => {
      const open = `    <testcase classname="${xml(file)}" name="${xml(name)}" time="${(milliseconds / 1000).toFixed(3)}"`;
      return problem === undefined ? `${open}/>` : `${open}><failure message="${xml(problem)}"/></testcase>`;
    });
    return [
      `  <testsuite name="${xml(cases[0]?.suite ?? file)}" tests="${cases.length}" failures="${failed(cases).length}">`,
      ...body,
      '  </testsuite>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

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
        results: failed(results).map(({ file, name, problem = '' }) => ({
          ruleId: 'suite-case',
          level: 'error',
          message: { text: `${name}: ${problem}` },
          locations: [{ physicalLocation: { artifactLocation: { uri: file } } }],
        })),
      },
    ],
  };
}

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' };
const xml = (value: string): string => value.replace(/[&<>"\n]/g, (character) => XML[character] ?? character);
/** Escapes of GitHub's workflow commands. */
const escapeData = (value: string): string => value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (value: string): string => escapeData(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
