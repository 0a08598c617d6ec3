/**
 * Unwinds the reading of a YAML text; caught where a document is read. `message` is go-yaml's, without `yaml: `.
 */
export class YamlError extends Error {
  /** Where it was noticed: the line, from 1; 0 where go-yaml knows none. */
  readonly line: number;
  constructor(message: string, line = 0) {
    super(message);
    this.line = line;
  }
}

/**
 * An error of the scanner, which go-yaml numbers from 1, except that it names no line where that is the first.
 * Source: go.yaml.in/yaml/v2 decode.go `parser.fail`.
 *
 * @param line where the scanner stands, from 0
 */
export function scannerError(problem: string, line: number): YamlError {
  return located(problem, line === 0 ? 0 : line + 1, line + 1);
}

/**
 * An error of the parser, whose lines go-yaml numbers from 0: it names the line before the one that is meant.
 * Source: go.yaml.in/yaml/v2 decode.go `parser.fail`.
 *
 * @param line of the token that does not fit, from 0
 */
export function parserError(problem: string, line: number): YamlError {
  return located(problem, line, line + 1);
}

function located(problem: string, shown: number, line: number): YamlError {
  return new YamlError(shown === 0 ? problem : `line ${shown}: ${problem}`, line);
}
