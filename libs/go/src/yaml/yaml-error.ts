/**
 * Exception that aborts reading a YAML text. The function that reads a document catches it. `message` is go-yaml's error text without the
 * prefix `yaml: `.
 */
export class YamlError extends Error {
  /** Line of the error, from 1, or 0 if go-yaml reports no line. */
  readonly line: number;
  constructor(message: string, line = 0) {
    super(message);
    this.line = line;
  }
}

/**
 * Returns an error of the scanner. The error text counts lines from 1, and omits the number of the first line, as in go-yaml. Source:
 * go.yaml.in/yaml/v2 decode.go `parser.fail`.
 *
 * @param line line of the scanner, from 0
 */
export function scannerError(problem: string, line: number): YamlError {
  return located(problem, line === 0 ? 0 : line + 1, line + 1);
}

/**
 * Returns an error of the parser. As in go-yaml, the error text counts lines from 0, so its number is one too low. Source:
 * go.yaml.in/yaml/v2 decode.go `parser.fail`.
 *
 * @param line line of the unexpected token, from 0
 */
export function parserError(problem: string, line: number): YamlError {
  return located(problem, line, line + 1);
}

function located(problem: string, shown: number, line: number): YamlError {
  return new YamlError(shown === 0 ? problem : `line ${shown}: ${problem}`, line);
}
