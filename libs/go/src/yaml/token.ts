/** The tokens of YAML. `key` and the starts of block collections are put in where a `:` shows that they were meant. Source: libyaml. */
export type YamlTokenKind =
  | 'stream end'
  | 'version directive'
  | 'tag directive'
  | 'document start'
  | 'document end'
  | 'block sequence start'
  | 'block mapping start'
  | 'block end'
  | 'flow sequence start'
  | 'flow sequence end'
  | 'flow mapping start'
  | 'flow mapping end'
  | 'block entry'
  | 'flow entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'plain scalar'
  | 'quoted scalar'
  | 'block scalar';

/** Where something stands in a text. */
export interface Mark {
  /** From 0. */
  readonly line: number;
  /** From 0, in UTF-16 code units. */
  readonly column: number;
  /** From 0, in UTF-16 code units of the text without its byte order mark. */
  readonly offset: number;
}

/** One token, with the place where it begins. */
export class YamlToken implements Mark {
  readonly kind: YamlTokenKind;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  /** Where it ends, as `offset` counts. */
  readonly end: number;
  /** The content of a scalar, the name of an anchor or alias, the handle of a tag or tag directive, the number of a version directive. */
  readonly text: string;
  /** What follows a tag's handle; the prefix that a tag directive gives. */
  readonly suffix: string;
  /** The flow level of the simple key that may begin with this token; -1 when none may. Changed by the scanner alone. */
  keyLevel = -1;

  constructor(kind: YamlTokenKind, start: Mark, end: number, text = '', suffix = '') {
    this.kind = kind;
    this.line = start.line;
    this.column = start.column;
    this.offset = start.offset;
    this.end = end;
    this.text = text;
    this.suffix = suffix;
  }
}
