import { codePointLength } from '#go';
import type { Syntax } from './syntax.ts';

/** A position in source text: line from 1, column from 0. Columns are counted in code points. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
}

/** Position of an error without a known position. cel-go prints the same line and column in this case. */
export const NO_LOCATION: SourceLocation = { line: -1, column: -1 };

/**
 * Text of an expression, split into lines. Offsets are counted in code points, like in upstream. Source: cel-go common/source.go (v0.29.2).
 */
export class Source {
  readonly text: string;
  /** Length of the text in code points. */
  readonly size: number;
  #cachedLines: readonly string[] | undefined;
  #cachedLineStarts: readonly number[] | undefined;

  constructor(text: string) {
    this.text = text;
    this.size = codePointLength(text);
  }

  get #lines(): readonly string[] {
    return (this.#cachedLines ??= this.text.split('\n'));
  }

  /** Offset of the first code point of each line. It is computed when an error is first located, because most texts have no errors. */
  get #lineStarts(): readonly number[] {
    return (this.#cachedLineStarts ??= startsOf(this.#lines));
  }

  /** Returns the line and column of an offset, or {@link NO_LOCATION} if the offset is undefined. */
  locate(offset: number | undefined): SourceLocation {
    if (offset === undefined) return NO_LOCATION;
    let line = 1;
    while (line < this.#lineStarts.length && this.startsBy(this.#lineStarts[line]!, offset)) line++;
    return { line, column: offset - this.#lineStarts[line - 1]! };
  }

  protected startsBy(lineStart: number, offset: number): boolean {
    return lineStart <= offset;
  }

  /** Returns the text of a line without its line break. Undefined if there is no such line. */
  line(number: number): string | undefined {
    return this.size === 0 ? undefined : this.#lines[number - 1];
  }
}

function startsOf(lines: readonly string[]): number[] {
  const starts: number[] = [];
  let start = 0;
  for (const line of lines) {
    starts.push(start);
    start += codePointLength(line) + 1;
  }
  return starts;
}

/**
 * Returns a {@link Source} for the text of an expression. It computes the line and column of an offset like the CEL checker of the
 * Kubernetes minor version to which the syntax belongs.
 */
export function sourceOf(text: string, { misplacesLineStarts }: Pick<Syntax, 'misplacesLineStarts'>): Source {
  return misplacesLineStarts === true ? new EarlySource(text) : new Source(text);
}

/**
 * Source text with the positions that the checker of older Kubernetes minor versions computes. These versions count the start of a line as
 * the end of the line before. Source: cel-go common/ast/ast.go (v0.20.1).
 */
class EarlySource extends Source {
  protected override startsBy(lineStart: number, offset: number): boolean {
    return lineStart < offset;
  }
}
