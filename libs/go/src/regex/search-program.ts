import {
  ALT,
  BEGIN_LINE,
  BEGIN_TEXT,
  CONSUME,
  EMPTY_WIDTH,
  END_LINE,
  END_TEXT,
  FAIL,
  MATCH,
  NO_WORD_BOUNDARY,
  WORD_BOUNDARY,
} from './regex-program.ts';
import type { MatchSpan } from './match-finder.ts';
import type { RegexProgram } from './regex-program.ts';

const NEWLINE = 0x0a;
const NONE = -1;

/**
 * List of the threads of a search at one offset in the text. Each thread has a position in the program and the offset at which its match
 * began. The preferred thread comes first.
 */
class ThreadList {
  readonly positions: Int32Array;
  readonly starts: Int32Array;
  length = 0;
  /** For each instruction, the number of the visit in which it was last reached. Each call of `clear` begins a new visit. */
  readonly #visited: Int32Array;
  #visit = 0;

  constructor(size: number) {
    this.positions = new Int32Array(size);
    this.starts = new Int32Array(size);
    this.#visited = new Int32Array(size);
  }

  clear(): void {
    this.length = 0;
    this.#visit++;
  }

  /**
   * Marks an instruction as reached in the current visit, which the last call of `clear` began. Returns false if a preferred path already
   * reached the instruction.
   */
  reach(position: number): boolean {
    if (this.#visited[position] === this.#visit) return false;
    this.#visited[position] = this.#visit;
    return true;
  }

  push(position: number, start: number): void {
    this.positions[this.length] = position;
    this.starts[this.length] = start;
    this.length++;
  }
}

/**
 * Search for a regular expression that follows all possible paths through its program in parallel. For every pattern, its time is
 * proportional to the product of the text length and the program size. Source: Go regexp/exec.go.
 */
export class ProgramSearch {
  readonly #program: RegexProgram;
  readonly #open: Int32Array;
  #now: ThreadList;
  #next: ThreadList;

  constructor(program: RegexProgram) {
    this.#program = program;
    const size = program.ops.length;
    this.#now = new ThreadList(size);
    this.#next = new ThreadList(size);
    this.#open = new Int32Array(size + 1);
  }

  /**
   * Returns the leftmost match that begins at or after `from`. If several matches begin there, returns the match that Perl would prefer. If
   * `which` is `any`, returns the first match that is found. Returns undefined if there is no match.
   */
  find(text: string, from: number, which: 'leftmost' | 'any' = 'leftmost'): MatchSpan | undefined {
    const { ops, outs, args, consumers, start } = this.#program;
    let found: MatchSpan | undefined;
    let before = from > 0 ? runeBefore(text, from) : NONE;
    this.#now.clear();
    for (let at = from; ;) {
      const rune = text.codePointAt(at) ?? NONE;
      if (found === undefined) this.#follow(this.#now, start, at, assertionsAt(before, rune));
      if (this.#now.length === 0) {
        if (found !== undefined || rune === NONE) return found;
      }
      const width = rune > 0xffff ? 2 : 1;
      const after = rune === NONE ? NONE : (text.codePointAt(at + width) ?? NONE);
      const holding = assertionsAt(rune, after);
      this.#next.clear();
      for (let i = 0; i < this.#now.length; i++) {
        const position = this.#now.positions[i]!;
        const began = this.#now.starts[i]!;
        if (ops[position] === MATCH) {
          found = { start: began, end: at };
          if (which === 'any') return found;
          break;
        }
        if (rune !== NONE && consumers[args[position]!]!.matchRune(rune)) this.#follow(this.#next, outs[position]!, began, holding);
      }
      if (rune === NONE) return found;
      [this.#now, this.#next] = [this.#next, this.#now];
      before = rune;
      at += width;
    }
  }

  /**
   * Adds a thread at `position`, and threads for all positions that are reachable without consuming a character. `start` is the offset at
   * which the match of these threads began. `holding` has the assertions that are true here, as bits.
   */
  #follow(list: ThreadList, position: number, start: number, holding: number): void {
    const { ops, outs, args } = this.#program;
    const open = this.#open;
    let length = 0;
    open[length++] = position;
    while (length > 0) {
      let at = open[--length]!;
      while (list.reach(at)) {
        const op = ops[at]!;
        if (op === CONSUME || op === MATCH) {
          list.push(at, start);
          break;
        }
        if (op === FAIL || (op === EMPTY_WIDTH && (args[at]! & ~holding) !== 0)) break;
        if (op === ALT) open[length++] = args[at]!;
        at = outs[at]!;
      }
    }
  }
}

/**
 * Returns the assertions that are true between two characters. `before` or `after` is NONE if the text has no character before or after
 * this point. Source: Go regexp/syntax/prog.go `EmptyOpContext`.
 */
function assertionsAt(before: number, after: number): number {
  let holding = isWord(before) === isWord(after) ? NO_WORD_BOUNDARY : WORD_BOUNDARY;
  if (before === NONE) holding |= BEGIN_TEXT | BEGIN_LINE;
  if (after === NONE) holding |= END_TEXT | END_LINE;
  if (before === NEWLINE) holding |= BEGIN_LINE;
  if (after === NEWLINE) holding |= END_LINE;
  return holding;
}

function isWord(rune: number): boolean {
  return (rune >= 0x30 && rune <= 0x39) || (rune >= 0x41 && rune <= 0x5a) || rune === 0x5f || (rune >= 0x61 && rune <= 0x7a);
}

function runeBefore(text: string, at: number): number {
  const last = text.charCodeAt(at - 1);
  return last >= 0xdc00 && last <= 0xdfff && at > 1 ? (text.codePointAt(at - 2) ?? NONE) : last;
}
