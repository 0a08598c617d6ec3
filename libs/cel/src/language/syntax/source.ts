import { codePointLength } from '#go';
import type { Syntax } from './syntax.ts';

/** A place in source text: line from 1, column from 0, both in code points. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

/** Location that upstream prints for an error without a place. */
export const NO_LOCATION: Location = { line: -1, column: -1 };

/** Expression text with its lines. Offsets count code points, as upstream's do. Source: cel-go common/source.go (v0.29.2). */
export class Source {
  readonly text: string;
  /** Number of code points. */
  readonly size: number;
  #lines: readonly string[] | undefined;
  #lineStarts: readonly number[] | undefined;

  constructor(text: string) {
    this.text = text;
    this.size = codePointLength(text);
  }

  private get lines(): readonly string[] {
    return (this.#lines ??= this.text.split('\n'));
  }

  /** Offset of the first code point of each line. Most texts have no complaint that would ask for it. */
  private get lineStarts(): readonly number[] {
    return (this.#lineStarts ??= startsOf(this.lines));
  }

  /** The place of an offset; {@link NO_LOCATION} for undefined. */
  locate(offset: number | undefined): Location {
    if (offset === undefined) return NO_LOCATION;
    let line = 1;
    while (line < this.lineStarts.length && this.startsBy(this.lineStarts[line]!, offset)) line++;
    return { line, column: offset - this.lineStarts[line - 1]! };
  }

  protected startsBy(lineStart: number, offset: number): boolean {
    return lineStart <= offset;
  }

  /** The text of a line, without its break. */
  line(number: number): string | undefined {
    return this.size === 0 ? undefined : this.lines[number - 1];
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

/** Returns the text as the checker of a syntax sees it. */
export function sourceOf(text: string, { misplacesLineStarts }: Pick<Syntax, 'misplacesLineStarts'>): Source {
  return misplacesLineStarts === true ? new EarlySource(text) : new Source(text);
}

/** Source text as the checker of older minors sees it: the start of a line counts to the line before. Source: cel-go common/ast/ast.go (v0.20.1). */
class EarlySource extends Source {
  protected override startsBy(lineStart: number, offset: number): boolean {
    return lineStart < offset;
  }
}
