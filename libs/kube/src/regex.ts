import { RE2JS, RE2JSSyntaxException } from 're2js';
import { LazyDfa } from './lazy-dfa.ts';
import type { Program } from './lazy-dfa.ts';

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
const cache = new Map<string, RegexResult>();

/**
 * Compiles a pattern in RE2 syntax as Go's regexp.Compile does, with the same verdict and error text (`error parsing regexp: …`).
 * The last patterns are kept, so that patterns from data are not parsed over and over.
 */
export function compileRegex(pattern: string): RegexResult {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const result = compile(pattern);
  if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value as string);
  cache.set(pattern, result);
  return result;
}

function compile(pattern: string): RegexResult {
  try {
    return { ok: true, regex: new LinearRegex(pattern, RE2JS.compile(pattern)) };
  } catch (thrown) {
    if (!(thrown instanceof RE2JSSyntaxException)) throw thrown;
    if (thrown.getDescription() === 'duplicate capture group name') return compile(withoutGroupNames(pattern));
    return { ok: false, error: `error parsing regexp: ${thrown.getDescription()}: \`${thrown.getPattern() ?? ''}\`` };
  }
}

/** Go lets two groups share a name; names mean nothing here, so they are taken off. */
function withoutGroupNames(pattern: string): string {
  let unnamed = '';
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern.charAt(i);
    if (char === '\\') {
      const literal = pattern.startsWith('\\Q', i) ? pattern.indexOf('\\E', i) : -1;
      const end = pattern.startsWith('\\Q', i) ? (literal < 0 ? pattern.length : literal + 2) : i + 2;
      unnamed += pattern.slice(i, end);
      i = end - 1;
      continue;
    }
    if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    const name = inClass ? null : /^\(\?P?<\w+>/.exec(pattern.slice(i, i + 200));
    unnamed += name === null ? char : '(';
    if (name !== null) i += name[0].length - 1;
  }
  return unnamed;
}

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
    if (this.#dfa === undefined) this.#dfa = LazyDfa.of((this.#engine.re2() as unknown as { readonly prog: Program }).prog) ?? null;
    const answer = this.#dfa?.test(text);
    if (answer !== undefined) return answer;
    this.#dfa = null;
    return this.#engine.test(text);
  }

  find(text: string): string | undefined {
    const matcher = this.#engine.matcher(text);
    return matcher.find() ? (matcher.group() ?? '') : undefined;
  }

  findAll(text: string, limit: number): string[] {
    const found: string[] = [];
    if (limit === 0) return found;
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
