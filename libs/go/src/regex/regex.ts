import { RE2JS, RE2JSSyntaxException } from 're2js';
import { CountedRegex } from './counted-regex.ts';
import { readCounted } from './counted-pattern.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { rewritePattern } from './pattern-rewrite.ts';
import { programOf } from './regex-program.ts';
import type { Re2Program } from './regex-program.ts';

/** A compiled RE2 pattern. Matching is linear in the text, whatever the pattern. Positions and results are in code points, never halves of one. */
export interface Regex {
  readonly pattern: string;
  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean;
  /** The leftmost match, or undefined. */
  find(text: string): string | undefined;
  /** Non-overlapping matches from left to right, at most `limit` of them (all when negative). */
  findAll(text: string, limit: number): string[];
}

/** What compiling a pattern gives: the regex, or the text that Go's regexp package would print. */
export type RegexResult = { readonly ok: true; readonly regex: Regex } | { readonly ok: false; readonly error: string };

const CACHE_SIZE = 512;
/** Patterns compiled lately: a function of the pattern's text alone. */
const cache = new Map<string, RegexResult>();

/**
 * Compiles a pattern in RE2 syntax as Go's regexp.Compile does, with the same verdict and error text (`error parsing regexp: …`).
 * The last patterns are kept, so that patterns from data are not parsed over and over.
 */
export function compileRegex(pattern: string): RegexResult {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const counted = readCounted(pattern);
  const result: RegexResult = counted ? { ok: true, regex: new CountedRegex(pattern, counted) } : compile(pattern);
  if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value as string);
  cache.set(pattern, result);
  return result;
}

/** Errors that quote the whole pattern in Go, and nothing in re2js. */
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
    // To Go a name begins only where something follows.
    return quoted === '(?P<' ? refused('invalid or unsupported Perl syntax', '(?P') : refused(error, quoted);
  }
}

const refused = (error: string, quoted: string): RegexResult => ({ ok: false, error: `error parsing regexp: ${error}: \`${quoted}\`` });

class LinearRegex implements Regex {
  readonly pattern: string;
  readonly #engine: RE2JS;
  /** The fast way to a yes or no: made when first asked, null where the pattern needs the engine itself. */
  #dfa: LazyDfa | null | undefined;

  constructor(pattern: string, engine: RE2JS) {
    this.pattern = pattern;
    this.#engine = engine;
  }

  test(text: string): boolean {
    if (this.#dfa === undefined)
      this.#dfa = LazyDfa.of(programOf((this.#engine.re2() as unknown as { readonly prog: Re2Program }).prog)) ?? null;
    const answer = this.#dfa?.test(text);
    if (answer !== undefined) return answer;
    this.#dfa = null;
    return this.#engine.test(text);
  }

  find(text: string): string | undefined {
    // Most searches are in vain, which the automaton tells faster.
    if (!this.test(text)) return undefined;
    const matcher = this.#engine.matcher(text);
    return matcher.find() ? (matcher.group() ?? '') : undefined;
  }

  findAll(text: string, limit: number): string[] {
    const found: string[] = [];
    if (limit === 0 || !this.test(text)) return found;
    const matcher = this.#engine.matcher(text);
    let previousEnd = -1;
    while (matcher.find()) {
      const start = matcher.start();
      const end = matcher.end();
      // Go drops an empty match that touches the match before it.
      if (start !== end || start !== previousEnd) found.push(text.slice(start, end));
      previousEnd = end;
      if (found.length === limit) break;
    }
    return found;
  }
}
