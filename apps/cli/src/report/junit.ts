/** A testcase of JUnit's XML. */
export interface JunitCase {
  readonly name: string;
  readonly file: string;
  readonly line?: number | undefined;
  /** Milliseconds. */
  readonly time?: number;
  /** Why it failed; undefined where it passed. */
  readonly failure?: string | undefined;
  /** Why it was not run. */
  readonly skipped?: string | undefined;
}

/** A testsuite of JUnit's XML. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

/** Suites as JUnit's XML, which continuous integration systems read. */
export function junitXml(suites: readonly JunitSuite[]): string {
  const written = suites.map(({ name, cases }) =>
    [`  <testsuite name="${xml(name)}" ${counts(cases)}>`, ...cases.map(caseXml), '  </testsuite>'].join('\n'),
  );
  const root = `<testsuites name="assay" ${counts(suites.flatMap(({ cases }) => cases))}>`;
  return `${['<?xml version="1.0" encoding="UTF-8"?>', root, ...written, '</testsuites>'].join('\n')}\n`;
}

function caseXml(one: JunitCase): string {
  const { name, file, line, failure, skipped } = one;
  const at = line === undefined ? '' : ` line="${line}"`;
  const open = `    <testcase classname="${xml(file)}" name="${xml(name)}" file="${xml(file)}"${at} time="${seconds([one])}"`;
  if (failure !== undefined) return `${open}><failure message="${xml(failure)}"/></testcase>`;
  return skipped === undefined ? `${open}/>` : `${open}><skipped message="${xml(skipped)}"/></testcase>`;
}

function counts(cases: readonly JunitCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter((one) => one.failure === undefined && one.skipped !== undefined).length;
  return `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${seconds(cases)}"`;
}

const seconds = (cases: readonly JunitCase[]): string => (cases.reduce((sum, { time = 0 }) => sum + time, 0) / 1000).toFixed(3);

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
