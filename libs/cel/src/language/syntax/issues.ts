import { utf8Length } from '#go';
import { NO_LOCATION } from './source.ts';
import type { SourceLocation, Source } from './source.ts';

/** An error of parser, checker or validator, with its position in the source. */
export interface Issue {
  readonly location: SourceLocation;
  readonly message: string;
}

/** Field that an expression reads although the type of its object does not declare it. */
export interface UndefinedField {
  readonly field: string;
  /** Fields that the type declares, by their names in CEL. */
  readonly declared: ReadonlyMap<string, unknown>;
}

/** Maximum number of errors that upstream keeps. All later errors are only counted. */
const REPORTED_ISSUES = 100;

/** Maximum length of a source line in bytes of UTF-8. Upstream prints only lines up to this length below their errors. */
const SNIPPET_BYTES = 16_384;

/** Errors about one source text, in the order in which they were found. Source: cel-go common/errors.go (v0.29.2). */
export class Issues {
  readonly #source: Source;
  readonly #found: Issue[] = [];
  #total = 0;
  /** Undefined fields among the errors, in the order in which they were found. */
  readonly undefinedFields: UndefinedField[] = [];

  constructor(source: Source) {
    this.#source = source;
  }

  /** True if all later errors are only counted. */
  get isFull(): boolean {
    return this.#found.length >= REPORTED_ISSUES;
  }

  get count(): number {
    return this.#total;
  }

  /** Records an error at an offset in code points. If the offset is undefined, the error has no position. */
  report(offset: number | undefined, message: string): void {
    this.reportAt(offset === undefined ? NO_LOCATION : this.#source.locate(offset), message);
  }

  /** Records the facts about an undefined field, for suggestions. The error itself is reported separately. */
  noteUndefined(undefinedField: UndefinedField): void {
    if (this.undefinedFields.length < REPORTED_ISSUES) this.undefinedFields.push(undefinedField);
  }

  reportAt(location: SourceLocation, message: string): void {
    this.#total++;
    if (this.#found.length < REPORTED_ISSUES) this.#found.push({ location, message });
  }

  /** Returns all errors as upstream prints them: sorted by position, with one block for each error. */
  toString(): string {
    const sorted = this.#found.toSorted((a, b) => a.location.line - b.location.line || a.location.column - b.location.column);
    const blocks = sorted.map((issue) => issueText(issue, this.#source));
    if (this.#total > REPORTED_ISSUES) blocks.push(`${this.#total - REPORTED_ISSUES} more errors were truncated`);
    return blocks.join('\n');
  }
}

/** Returns the text of one error: the message, the source line, and a mark below the column. Source: cel-go common/error.go (v0.29.2). */
function issueText({ location, message }: Issue, source: Source): string {
  const heading = `ERROR: <input>:${location.line}:${location.column + 1}: ${message}`;
  const line = source.line(location.line);
  if (line === undefined || utf8Length(line) > SNIPPET_BYTES) return heading;
  let marks = '';
  const points = [...line];
  for (let i = 0; i < location.column && i < points.length; i++) marks += isWide(points[i]) ? '\uff0e' : '.';
  marks += isWide(points[location.column]) ? '\uff3e' : '^';
  return `${heading}\n | ${line.replaceAll('\t', ' ')}\n | ${marks}`;
}

const isWide = (character: string | undefined): boolean => character !== undefined && character.codePointAt(0)! >= 0x80;
