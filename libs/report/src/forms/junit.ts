import { COMMANDING } from './shown-text.ts';

/** Data of a `testcase` element of JUnit XML. */
export interface JunitCase {
  readonly name: string;
  /** Name under which viewers of the report group the case. */
  readonly classname: string;
  /** File of the case; undefined if the case does not belong to a file. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** Duration of the case in ms. */
  readonly time?: number;
  /** Reason why the case failed; undefined if the case did not fail. */
  readonly failure?: string | undefined;
  /** Reason why the case was aborted, so that its result is unknown; undefined if it was not aborted. */
  readonly error?: string | undefined;
  /** Reason why the case was not run; undefined if it was run. */
  readonly skipped?: string | undefined;
}

/** Data of a `testsuite` element of JUnit XML. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  /** Duration of the suite in ms; by default, the sum of the durations of the cases. */
  readonly time?: number;
}

/** Returns suites as JUnit XML, which continuous integration systems read. */
export function junitXml(suites: readonly JunitSuite[]): string {
  const written = suites.map((suite) =>
    [`  <testsuite name="${xml(suite.name)}" ${counts([suite])}>`, ...suite.cases.map(caseXml), '  </testsuite>'].join('\n'),
  );
  const root = `<testsuites name="assay" ${counts(suites)}>`;
  return `${['<?xml version="1.0" encoding="UTF-8"?>', root, ...written, '</testsuites>'].join('\n')}\n`;
}

/**
 * Returns the result of a test case, with its reason. If several reasons are set, `error` has precedence over `failure`, and `failure` over
 * `skipped`. Returns undefined if the case passed.
 */
function resultOf({
  failure,
  error,
  skipped,
}: JunitCase): { readonly kind: 'error' | 'failure' | 'skipped'; readonly why: string } | undefined {
  if (error !== undefined) return { kind: 'error', why: error };
  if (failure !== undefined) return { kind: 'failure', why: failure };
  return skipped === undefined ? undefined : { kind: 'skipped', why: skipped };
}

function caseXml(one: JunitCase): string {
  const { name, classname, file, line, time = 0 } = one;
  const at = `${file === undefined ? '' : ` file="${xml(file)}"`}${line === undefined ? '' : ` line="${line}"`}`;
  const open = `    <testcase classname="${xml(classname)}" name="${xml(name)}"${at} time="${seconds(time)}"`;
  const result = resultOf(one);
  return result === undefined ? `${open}/>` : `${open}><${result.kind} message="${xml(result.why)}"/></testcase>`;
}

function counts(suites: readonly JunitSuite[]): string {
  const cases = suites.flatMap((suite) => suite.cases);
  const count = (kind: string): number => cases.filter((one) => resultOf(one)?.kind === kind).length;
  const time = suites.reduce((sum, suite) => sum + (suite.time ?? suite.cases.reduce((all, { time = 0 }) => all + time, 0)), 0);
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds(time)}"`;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const XML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
/**
 * Returns text escaped for an XML attribute. Characters that XML 1.0 does not allow even as escapes are replaced by U+FFFD. Characters and
 * words that command a terminal or a CI system are escaped, too, so that an XML parser returns them unchanged.
 */
const xml = (value: string): string =>
  value
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, (character) => XML[character] ?? character)
    .replace(COMMANDING, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll('##', '#&#35;');
