/**
 * Kinds of YAML tokens. The scanner learns only at a `:` that the tokens before it are a key, and perhaps the start of a block mapping. It
 * then inserts the tokens that mark the key and the mapping before the tokens of the key, which are still queued. Source: libyaml.
 */
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

/** Position in a text. */
export interface Mark {
  /** Number of the line, from 0. */
  readonly line: number;
  /** Column from 0, in UTF-16 code units. */
  readonly column: number;
  /** Offset from 0, in UTF-16 code units of the text without its byte order mark. */
  readonly offset: number;
}

/** Token of a YAML text, with the position at which it begins. */
export class YamlToken implements Mark {
  readonly kind: YamlTokenKind;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  /** End offset of the token, in the same unit as `offset`. */
  readonly end: number;
  /**
   * Content of a scalar, name of an anchor or alias, handle of a tag or tag directive, or number of a version
   * directive.
   */
  readonly text: string;
  /** Text after a tag's handle, or prefix of a tag directive. */
  readonly suffix: string;
  /**
   * Flow level (number of enclosing flow collections) of the possible key that may begin with this token. It is -1 if no key may begin with
   * it. Only the scanner changes this field.
   */
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
