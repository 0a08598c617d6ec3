import { RE2JS, RE2JSSyntaxException } from 're2js';
import { CountedRegex } from './counted-regex.ts';
import { readCounted } from './counted-pattern.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { MatchFinder } from './match-finder.ts';
import { textsOfMatches } from './match-span.ts';
import { isPlainPattern } from './plain-pattern.ts';
import { plainProgram } from './plain-program.ts';
import { rewritePattern } from './pattern-rewrite.ts';
import { programOf } from './regex-program.ts';
import type { Re2Program, RegexProgram } from './regex-program.ts';

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

function compile(pattern: string, withoutGroupNames = false): RegexResult {
  const rewritten = rewritePattern(pattern, withoutGroupNames);
  try {
    return { ok: true, regex: new LinearRegex(pattern, RE2JS.compile(rewritten.text)) };
  } catch (thrown) {
    if (!(thrown instanceof RE2JSSyntaxException)) throw thrown;
    if (thrown.getDescription() === 'duplicate capture group name') return compile(pattern, true);
    const error = thrown.getDescription();
    const quoted = ABOUT_THE_WHOLE.has(error) ? pattern : rewritten.original(thrown.getPattern() ?? '');
    // In Go, a group name requires text after `(?P<`.
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
    // The general engine continues from its own position.
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
