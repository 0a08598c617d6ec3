import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { jsonText } from './shown-text.ts';

/** Region of a file. Lines and columns are counted from 1, columns in code points. */
export interface SarifRegion {
  readonly startLine: number;
  readonly startColumn?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** Result of a SARIF log: one finding about a file. */
export interface SarifResult {
  /** Id of the violated rule in the same log. */
  readonly rule: string;
  /** Severity of the result; `notApplicable` means that the rule could not be checked. */
  readonly level: 'error' | 'warning' | 'note' | 'notApplicable';
  readonly message: string;
  readonly file: string;
  readonly region?: SarifRegion | undefined;
}

/**
 * Returns results as a SARIF log, which code scanning systems read.
 *
 * @param rules descriptions of the problems that each rule finds, by rule id
 */
export function sarifLog(rules: Readonly<Record<string, string>>, results: readonly SarifResult[]): string {
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'assay', rules: Object.entries(rules).map(([id, text]) => ({ id, shortDescription: { text } })) } },
        columnKind: 'unicodeCodePoints',
        results: results.map(({ rule, level, message, file, region }) => ({
          ruleId: rule,
          ...(level === 'notApplicable' ? { kind: level, level: 'none' } : { level }),
          message: { text: message },
          locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...(region && { region }) } }],
        })),
      },
    ],
  };
  return `${jsonText(log)}\n`;
}

const uriOf = (file: string): string => (isAbsolute(file) ? pathToFileURL(file).href : encodeURI(file));
