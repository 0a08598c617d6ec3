import { classInOtherWords, CLASS_START, matchAt, POSIX_CLASS, UNICODE_CLASS } from './pattern-rewrite.ts';

/** Syntax tree of a pattern in which counted repetitions are not expanded. */
export type PatternNode =
  /** One character, or an assertion. `text` is a complete pattern in re2js syntax, with its flags. */
  | { readonly kind: 'atom'; readonly text: string }
  /** Capturing group. */
  | { readonly kind: 'group'; readonly part: PatternNode }
  | { readonly kind: 'concat' | 'alternate'; readonly parts: readonly PatternNode[] }
  /** Repetition of `part`. `most` is Infinity if the number of repetitions has no bound. */
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number; readonly greedy: boolean };

/** Maximum number of copies of a part that nested repetitions may produce, as in Go. Source: Go regexp/syntax/parse.go `repeatIsValid`. */
const MAX_COPIES = 1000;
/**
 * Maximum nesting depth of groups that this reader supports. Patterns with deeper nesting may exceed Go's own limit for the height of a
 * syntax tree.
 */
const MAX_DEPTH = 100;

const COUNT = /\{(0|[1-9]\d{0,3})(?:(,)(0|[1-9]\d{0,3})?)?\}/y;
const GROUP_NAME = /\(\?P?<[A-Za-z0-9_]+>/y;
const FLAGS = /\(\?([imsU]*)(?:-([imsU]+))?([:)])/y;
const ESCAPE = /\\(?:x\{[0-9A-Fa-f]+\}|x[0-9A-Fa-f]{2}|[0-7]{1,3}|[^\dxQpPC])/suy;
const PUNCTUATION = /[\\.+*?()|[\]{}^$]/;

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly lazy: boolean;
}

/** Group whose closing parenthesis was not read yet: the parts so far, and the flags that apply again after the group. */
interface OpenGroup {
  readonly branches: PatternNode[];
  parts: PatternNode[];
  readonly outer: Flags;
  readonly notes: boolean;
}

/**
 * Reads a pattern in Go's regexp/syntax with Perl's extensions. Returns undefined if the pattern is invalid or contains syntax that this
 * reader does not support. Source: Go 1.26 regexp/syntax/parse.go `parse`.
 */
export function readPattern(pattern: string): PatternNode | undefined {
  return new PatternReader(pattern).read();
}

class PatternReader {
  readonly #pattern: string;
  #at = 0;
  #flags: Flags = { ignoreCase: false, multiLine: false, dotAll: false, lazy: false };
  readonly #open: OpenGroup[] = [];
  #group: OpenGroup = { branches: [], parts: [], outer: this.#flags, notes: false };
  /** True if a repetition such as `*` may follow the last part. Flags, quotes and repetitions set it to false. */
  #repeatable = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): PatternNode | undefined {
    while (this.#at < this.#pattern.length) if (!this.#readNext()) return undefined;
    return this.#open.length === 0 ? closed(this.#group) : undefined;
  }

  /** Reads the next part. Returns false if the part is invalid or this reader does not support it. */
  #readNext(): boolean {
    switch (this.#pattern.charAt(this.#at)) {
      case '(':
        return this.#openGroup();
      case ')':
        return this.#closeGroup();
      case '|':
        this.#at++;
        this.#group.branches.push(joined('concat', this.#group.parts));
        this.#group.parts = [];
        this.#repeatable = false;
        return true;
      case '*':
        return this.#repeat(1, 0, Infinity);
      case '+':
        return this.#repeat(1, 1, Infinity);
      case '?':
        return this.#repeat(1, 0, 1);
      case '{':
        return this.#count();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      case '.':
      case '^':
      case '$':
        return this.#atom(this.#pattern.charAt(this.#at++));
      default:
        return this.#literal();
    }
  }

  #openGroup(): boolean {
    if (this.#open.length >= MAX_DEPTH) return false;
    const special = this.#pattern.charAt(this.#at + 1) === '?';
    const named = special ? matchAt(GROUP_NAME, this.#pattern, this.#at) : null;
    const changed = special && named === null ? matchAt(FLAGS, this.#pattern, this.#at) : null;
    if (special && named === null && changed === null) return false;
    this.#at += (named ?? changed)?.[0].length ?? 1;
    const flags = changed ? withFlags(this.#flags, changed[1] ?? '', changed[2] ?? '') : this.#flags;
    if (changed?.[3] === ')') {
      this.#flags = flags;
      this.#repeatable = false;
      return true;
    }
    this.#open.push(this.#group);
    this.#group = { branches: [], parts: [], outer: this.#flags, notes: changed === null };
    this.#flags = flags;
    this.#repeatable = false;
    return true;
  }

  #closeGroup(): boolean {
    const outer = this.#open.pop();
    if (outer === undefined) return false;
    const node = closed(this.#group);
    this.#flags = this.#group.outer;
    this.#group = outer;
    this.#at++;
    return this.#add(node);
  }

  #count(): boolean {
    const count = matchAt(COUNT, this.#pattern, this.#at);
    // Go reads an invalid count as plain text, but reports an error if its numbers are too large. So this code gives up if the count begins
    // with a digit.
    if (count === null) return /\{\d/y.test(this.#pattern.slice(this.#at, this.#at + 2)) ? false : this.#literal();
    const least = Number(count[1]);
    const most = count[2] === undefined ? least : count[3] === undefined ? Infinity : Number(count[3]);
    if (least > MAX_COPIES || (most !== Infinity && (most > MAX_COPIES || most < least))) return false;
    return this.#repeat(count[0].length, least, most, 'count');
  }

  #repeat(length: number, least: number, most: number, operator: 'symbol' | 'count' = 'symbol'): boolean {
    const part = this.#group.parts.pop();
    if (!this.#repeatable || part === undefined) return false;
    this.#at += length;
    const lazy = this.#pattern.charAt(this.#at) === '?';
    if (lazy) this.#at++;
    const node: PatternNode = { kind: 'repeat', part, least, most, greedy: lazy === this.#flags.lazy };
    if (operator === 'count' && (least > 1 || most > 1) && !fits(node, MAX_COPIES)) return false;
    this.#add(node);
    this.#repeatable = false;
    return true;
  }

  #class(): boolean {
    const start = this.#at;
    let text = '';
    this.#at += matchAt(CLASS_START, this.#pattern, start)?.[0].length ?? 1;
    text += this.#pattern.slice(start, this.#at);
    for (;;) {
      const char = this.#pattern.charAt(this.#at);
      if (char === '') return false;
      const named = char === '\\' ? matchAt(UNICODE_CLASS, this.#pattern, this.#at) : null;
      const posix = char === '[' ? matchAt(POSIX_CLASS, this.#pattern, this.#at) : null;
      const part = (named ?? posix)?.[0] ?? this.#pattern.slice(this.#at, this.#at + (char === '\\' ? 2 : 1));
      text += (named && classInOtherWords(named)) ?? part;
      this.#at += part.length;
      if (char === ']') return this.#atom(text);
    }
  }

  #escape(): boolean {
    if (this.#pattern.startsWith('\\Q', this.#at)) return this.#quote();
    const named = matchAt(UNICODE_CLASS, this.#pattern, this.#at);
    const escape = named ?? matchAt(ESCAPE, this.#pattern, this.#at);
    if (escape === null) return false;
    this.#at += escape[0].length;
    return this.#atom((named && classInOtherWords(named)) ?? escape[0]);
  }

  #quote(): boolean {
    const end = this.#pattern.indexOf('\\E', this.#at + 2);
    const stop = end < 0 ? this.#pattern.length : end;
    this.#repeatable = false;
    for (this.#at += 2; this.#at < stop;) this.#literal();
    if (end >= 0) this.#at = end + 2;
    return true;
  }

  /** Reads a literal character. */
  #literal(): boolean {
    const char = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    this.#at += char.length;
    return this.#atom(PUNCTUATION.test(char) ? `\\${char}` : char);
  }

  #atom(text: string): boolean {
    const { ignoreCase, multiLine, dotAll } = this.#flags;
    const flags = `${ignoreCase ? 'i' : ''}${multiLine ? 'm' : ''}${dotAll ? 's' : ''}`;
    return this.#add({ kind: 'atom', text: flags === '' ? text : `(?${flags})${text}` });
  }

  #add(node: PatternNode): true {
    this.#group.parts.push(node);
    this.#repeatable = true;
    return true;
  }
}

function closed({ branches, parts, notes }: OpenGroup): PatternNode {
  const part = joined('alternate', [...branches, joined('concat', parts)]);
  return notes ? { kind: 'group', part } : part;
}

function joined(kind: 'concat' | 'alternate', parts: readonly PatternNode[]): PatternNode {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind, parts };
}

function withFlags(flags: Flags, on: string, off: string): Flags {
  const set = (flag: string, before: boolean): boolean => (before || on.includes(flag)) && !off.includes(flag);
  return {
    ignoreCase: set('i', flags.ignoreCase),
    multiLine: set('m', flags.multiLine),
    dotAll: set('s', flags.dotAll),
    lazy: set('U', flags.lazy),
  };
}

/** Returns true if no part of the tree has more copies than Go allows. Source: Go regexp/syntax/parse.go `repeatIsValid`. */
function fits(node: PatternNode, copies: number): boolean {
  if (node.kind === 'atom') return true;
  if (node.kind === 'group') return fits(node.part, copies);
  if (node.kind !== 'repeat') return node.parts.every((part) => fits(part, copies));
  const { least, most } = node;
  const isCounted = !((least === 0 || least === 1) && most === Infinity) && !(least === 0 && most === 1);
  if (!isCounted) return fits(node.part, copies);
  if (most === 0) return true;
  const times = most === Infinity ? least : most;
  return times <= copies && fits(node.part, times > 0 ? Math.floor(copies / times) : copies);
}
