import type { CountedPattern } from './counted-pattern.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { textsOfMatches } from './match-span.ts';
import type { Regex } from './regex.ts';
import type { RegexProgram } from './regex-program.ts';
import { ProgramSearch } from './search-program.ts';

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
    return searchOf(engines).find(text, 0, true) !== undefined;
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
