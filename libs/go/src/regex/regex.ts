import { RE2JS, RE2JSSyntaxException } from 're2js';
import { expandPattern, readCounted } from './expand-pattern.ts';
import type { CountedPattern, PatternAtom } from './expand-pattern.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { MatchFinder, textsOfMatches } from './match-finder.ts';
import { isPlainPattern } from './plain-pattern.ts';
import { rewritePattern } from './pattern-rewrite.ts';
import { programOf, BEGIN_TEXT, END_TEXT } from './regex-program.ts';
import type { Re2Program, RegexProgram } from './regex-program.ts';
import { readPattern } from './pattern-tree.ts';
import type { PatternNode } from './pattern-tree.ts';
import { ProgramSearch } from './search-program.ts';

/**
 * Patterns for the ASCII members of the classes `\d`, `\w` and `\s`. All non-ASCII characters belong to the negated classes `\D`, `\W` and
 * `\S`.
 */
const LETTERED: Readonly<Record<string, RegExp>> = { d: /\d/, w: /\w/, s: /[\t\n\f\r ]/ };
/** Pattern of one item of a class: a range, a class such as `\d`, a hexadecimal escape, an escaped sign, or a character. */
const ITEM = /([A-Za-z0-9])-([A-Za-z0-9])|\\([dDwWsS])|\\x([0-9A-Fa-f]{2})|\\?(.)/gs;

/**
 * Returns the program (the matching instructions) of a plain pattern, whose validity is known without compilation (see `isPlainPattern`).
 * The function does not use the engine re2js, which would take too long for all patterns of a definition. Returns undefined if
 * `readPattern` does not support the pattern.
 */
function plainProgram(pattern: string): RegexProgram | undefined {
  const tree = readPattern(pattern);
  if (tree === undefined) return undefined;
  const atoms = new Map<string, PatternAtom>();
  const collect = (node: PatternNode): void => {
    if (node.kind === 'atom') atoms.set(node.text, atoms.get(node.text) ?? atomOf(node.text));
    else if (node.kind === 'group' || node.kind === 'repeat') collect(node.part);
    else node.parts.forEach(collect);
  };
  collect(tree);
  return expandPattern(tree, atoms);
}

function atomOf(text: string): PatternAtom {
  if (text === '^') return { kind: 'assert', assertions: BEGIN_TEXT };
  if (text === '$') return { kind: 'assert', assertions: END_TEXT };
  if (text === '.') return consuming((rune) => rune !== 10);
  if (text.length > 1 && text.startsWith('[')) {
    const negated = text.startsWith('[^');
    const taken = charactersOf(text.slice(negated ? 2 : 1, -1));
    return consuming((rune) => taken(rune) !== negated);
  }
  return consuming(charactersOf(text));
}

const consuming = (matchRune: (rune: number) => boolean): PatternAtom => ({ kind: 'consume', consumer: { matchRune }, runes: 2 });

/** Returns a function that tests if a character is in a class. `items` is the text of the class between its brackets. */
function charactersOf(items: string): (rune: number) => boolean {
  const taken = new Uint8Array(128);
  let others = false;
  for (const [, from, to, letter, number, sign] of items.matchAll(ITEM)) {
    const character = number === undefined ? sign : String.fromCharCode(Number.parseInt(number, 16));
    const lettered = letter === undefined ? undefined : LETTERED[letter.toLowerCase()];
    const negated = letter !== undefined && letter !== letter.toLowerCase();
    others ||= negated;
    for (let rune = 0; rune < 128; rune++) {
      const text = String.fromCharCode(rune);
      if (lettered !== undefined) taken[rune] ||= lettered.test(text) === negated ? 0 : 1;
      else if (from !== undefined && to !== undefined) taken[rune] ||= from <= text && text <= to ? 1 : 0;
      else taken[rune] ||= text === character ? 1 : 0;
    }
  }
  return (rune) => (rune < 128 ? taken[rune] === 1 : others);
}

/**
 * Compiled RE2 pattern. For every pattern, the matching time is linear in the length of the text. Matches never begin or end inside a code
 * point.
 */
export interface Regex {
  readonly pattern: string;
  /** Returns true if the pattern matches anywhere in the text. */
  test(text: string): boolean;
  /**
   * Returns the same result as {@link test}, but faster, because it reads bytes. The text must be ASCII, and `bytes` must contain the same
   * text from the offset `from`.
   */
  testBytes(text: string, bytes: Uint8Array, from: number): boolean;
  /** Returns the text of the leftmost match, or undefined if there is none. */
  find(text: string): string | undefined;
  /**
   * Returns the texts of non-overlapping matches from left to right. The result has at most `limit` texts, or all if `limit` is negative.
   */
  findAll(text: string, limit: number): string[];
}

/** Result of compiling a pattern: the regex, or the error text of Go's regexp package. */
export type RegexResult = { readonly ok: true; readonly regex: Regex } | { readonly ok: false; readonly error: string };

const CACHE_SIZE = 512;
/** Cache of recently compiled patterns. The result depends only on the text of the pattern. */
const cache = new Map<string, RegexResult>();

/**
 * Compiles a pattern in RE2 syntax in the same way as Go's regexp.Compile, with the same error texts (`error parsing regexp: …`). The most
 * recent patterns are cached, so that patterns in data are not parsed repeatedly.
 */
export function compileRegex(pattern: string): RegexResult {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const result: RegexResult = isPlainPattern(pattern) ? { ok: true, regex: new PlainRegex(pattern) } : compileNow(pattern);
  if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value as string);
  cache.set(pattern, result);
  return result;
}

function compileNow(pattern: string): RegexResult {
  const counted = readCounted(pattern);
  return counted ? { ok: true, regex: new CountedRegex(pattern, counted) } : compile(pattern);
}

/**
 * Regex for a plain pattern, whose validity is known without compilation (see `isPlainPattern`). Most patterns are only checked for
 * validity. The general engine is therefore created only if a search needs the position of a match, or if the automaton cannot test a text.
 */
class PlainRegex implements Regex {
  readonly pattern: string;
  /** Automaton that tests if a text matches. It is created at its first use. Null if the pattern needs the general engine. */
  #dfa: LazyDfa | null | undefined;
  #engine: Regex | undefined;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  test(text: string): boolean {
    return this.#automaton?.test(text) ?? this.#testWithout(text);
  }

  testBytes(text: string, bytes: Uint8Array, from: number): boolean {
    return this.#automaton?.testBytes(bytes, from, from + text.length) ?? this.#testWithout(text);
  }

  find(text: string): string | undefined {
    return this.#compiled.find(text);
  }

  findAll(text: string, limit: number): string[] {
    return this.#compiled.findAll(text, limit);
  }

  get #automaton(): LazyDfa | null {
    if (this.#dfa === undefined) {
      const program = plainProgram(this.pattern);
      this.#dfa = (program && LazyDfa.of(program)) ?? null;
    }
    return this.#dfa;
  }

  /**
   * Tests a text with the general engine, because the automaton does not exist or exceeded its limits. From then on, the automaton is never
   * used again.
   */
  #testWithout(text: string): boolean {
    this.#dfa = null;
    return this.#compiled.test(text);
  }

  get #compiled(): Regex {
    return (this.#engine ??= this.#compile());
  }

  #compile(): Regex {
    const compiled = compileNow(this.pattern);
    if (!compiled.ok) throw new Error(`a plain pattern was not expected to fail: ${compiled.error}`);
    return compiled.regex;
  }
}

/** Errors for which Go quotes the whole pattern after the error text. re2js quotes nothing for them. */
const ABOUT_THE_WHOLE: ReadonlySet<string> = new Set(['expression nests too deeply', 'expression too large']);

function compile(pattern: string, groups: 'named' | 'unnamed' = 'named'): RegexResult {
  const rewritten = rewritePattern(pattern, groups === 'unnamed');
  try {
    return { ok: true, regex: new LinearRegex(pattern, RE2JS.compile(rewritten.text)) };
  } catch (thrown) {
    if (!(thrown instanceof RE2JSSyntaxException)) throw thrown;
    if (thrown.getDescription() === 'duplicate capture group name') return compile(pattern, 'unnamed');
    const error = thrown.getDescription();
    const quoted = ABOUT_THE_WHOLE.has(error) ? pattern : rewritten.original(thrown.getPattern() ?? '');
    // If the text ends after `(?P<`, Go reports another error than the regex library.
    return quoted === '(?P<' ? refused('invalid or unsupported Perl syntax', '(?P') : refused(error, quoted);
  }
}

const refused = (error: string, quoted: string): RegexResult => ({ ok: false, error: `error parsing regexp: ${error}: \`${quoted}\`` });

class LinearRegex implements Regex {
  readonly pattern: string;
  readonly #engine: RE2JS;
  /** Automaton that can only test if a text matches. It is created at its first use. Null if the pattern needs the general engine. */
  #dfa: LazyDfa | null | undefined;
  /** Automaton that finds matches. It is created at its first use. Null if the pattern needs the general engine. */
  #finder: MatchFinder | null | undefined;

  constructor(pattern: string, engine: RE2JS) {
    this.pattern = pattern;
    this.#engine = engine;
  }

  test(text: string): boolean {
    return this.#automaton?.test(text) ?? this.#testWithout(text);
  }

  testBytes(text: string, bytes: Uint8Array, from: number): boolean {
    return this.#automaton?.testBytes(bytes, from, from + text.length) ?? this.#testWithout(text);
  }

  find(text: string): string | undefined {
    const finder = this.#fastFinder;
    // Most searches find nothing, and the automaton decides that faster. An anchored finder is faster still.
    if (finder?.isAnchored !== true && !this.test(text)) return undefined;
    const finding = finder?.find(text, 0) ?? 'unknown';
    if (finding === 'none') return undefined;
    if (finding !== 'unknown') return text.slice(finding.start, finding.end);
    const matcher = this.#engine.matcher(text);
    return matcher.find() ? (matcher.group() ?? '') : undefined;
  }

  findAll(text: string, limit: number): string[] {
    if (limit === 0 || !this.test(text)) return [];
    let isKnown = true;
    const found = textsOfMatches(text, limit, (from) => {
      const finding = this.#fastFinder?.find(text, from) ?? 'unknown';
      if (finding === 'unknown') isKnown = false;
      return typeof finding === 'string' ? undefined : finding;
    });
    if (isKnown) return found;
    const matcher = this.#engine.matcher(text);
    // `matcher.find()` continues where its last match ended, so the callback needs no position.
    return textsOfMatches(text, limit, () => (matcher.find() ? { start: matcher.start(), end: matcher.end() } : undefined));
  }

  get #automaton(): LazyDfa | null {
    return (this.#dfa ??= this.#dfa === undefined ? (LazyDfa.of(this.#program) ?? null) : null);
  }

  /** Tests a text with the general engine. See `#testWithout` of `PlainRegex`. */
  #testWithout(text: string): boolean {
    this.#dfa = null;
    return this.#engine.test(text);
  }

  get #fastFinder(): MatchFinder | null {
    return (this.#finder ??= this.#finder === undefined ? (MatchFinder.of(this.#program) ?? null) : null);
  }

  get #program(): RegexProgram {
    return programOf((this.#engine.re2() as unknown as { readonly prog: Re2Program }).prog);
  }
}

/** Program of a regex, with the engines that match it. */
interface Engines {
  readonly program: RegexProgram;
  /**
   * Fast automaton that can only test if a text matches. Null if the program needs features that the automaton lacks: assertions inside the
   * text, such as `\b`, or too many states or character classes.
   */
  dfa: LazyDfa | null;
  search: ProgramSearch | undefined;
}

/** Maximum number of instructions that all cached programs have together. An instruction takes about 20 bytes. */
const KEPT_INSTRUCTIONS = 4_000_000;
/** Cache of recently used programs by pattern. A program depends only on the text of the pattern. */
const kept = new Map<string, Engines>();

/**
 * Regex for a pattern that is large because of its counted repetitions. The pattern is compiled at the first match, and again if the cache
 * has dropped the compiled form.
 */
export class CountedRegex implements Regex {
  readonly pattern: string;
  readonly #counted: CountedPattern;

  constructor(pattern: string, counted: CountedPattern) {
    this.pattern = pattern;
    this.#counted = counted;
  }

  test(text: string): boolean {
    const engines = this.#engines();
    const answer = engines.dfa?.test(text);
    if (answer !== undefined) return answer;
    engines.dfa = null;
    return searchOf(engines).find(text, 0, 'any') !== undefined;
  }

  testBytes(text: string): boolean {
    return this.test(text);
  }

  find(text: string): string | undefined {
    const span = this.test(text) ? searchOf(this.#engines()).find(text, 0) : undefined;
    return span && text.slice(span.start, span.end);
  }

  findAll(text: string, limit: number): string[] {
    if (limit === 0 || !this.test(text)) return [];
    const search = searchOf(this.#engines());
    return textsOfMatches(text, limit, (from) => search.find(text, from));
  }

  #engines(): Engines {
    const known = kept.get(this.pattern);
    kept.delete(this.pattern);
    const engines = known ?? enginesOf(this.#counted.expand());
    kept.set(this.pattern, engines);
    if (known === undefined) forgetOldest(engines);
    return engines;
  }
}

function enginesOf(program: RegexProgram): Engines {
  return { program, dfa: LazyDfa.of(program) ?? null, search: undefined };
}

function searchOf(engines: Engines): ProgramSearch {
  return (engines.search ??= new ProgramSearch(engines.program));
}

function forgetOldest(newest: Engines): void {
  let instructions = 0;
  for (const { program } of kept.values()) instructions += program.ops.length;
  for (const [pattern, engines] of kept) {
    if (instructions <= KEPT_INSTRUCTIONS || engines === newest) return;
    kept.delete(pattern);
    instructions -= engines.program.ops.length;
  }
}
