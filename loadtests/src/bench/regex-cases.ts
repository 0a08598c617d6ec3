/** A pattern that backtracking takes long over, and texts that make it do so. */
export interface RegexCase {
  readonly name: string;
  readonly pattern: string;
  /** The pattern for `RegExp`, where it spells something otherwise. */
  readonly native?: string;
  /** What is repeated up to the text's length. */
  readonly unit: string;
  /** What stands before and behind it where the pattern is looked for in vain. What the pattern asks for is in it, so that no search for a literal answers at once. */
  readonly inVain: readonly [start: string, end: string];
  /** The same where the pattern matches, at the very end. */
  readonly found: readonly [start: string, end: string];
}

const WORDS = Array.from({ length: 500 }, (_, i) => `w${(i * 7919).toString(36)}`);

/** What `bench -- regex` tries. */
export const REGEX_CASES: readonly RegexCase[] = [
  { name: 'nested plus', pattern: '(a+)+$', unit: 'a', inVain: ['', '!'], found: ['', ''] },
  { name: 'overlapping alternatives', pattern: '(a|aa)+$', unit: 'a', inVain: ['', '!'], found: ['', ''] },
  { name: 'nested star', pattern: '(.*)*x$', unit: 'a', inVain: ['x', ''], found: ['', 'x'] },
  { name: 'two pluses', pattern: '(x+x+)+y$', unit: 'x', inVain: ['y', ''], found: ['', 'y'] },
  { name: 'nested counts', pattern: '(?:a{1,10}){1,10}b$', unit: 'a', inVain: ['b', ''], found: ['', 'b'] },
  { name: 'Unicode classes', pattern: '^(?:\\p{L}+|\\p{Lu}+|_)+$', unit: 'Éα中', inVain: ['', '!'], found: ['', ''] },
  {
    name: '500 alternatives',
    pattern: `^(?:(?:${WORDS.join('|')}) ?)+$`,
    unit: `${WORDS.slice(0, 40).join(' ')} `,
    inVain: ['', '!'],
    found: ['', ''],
  },
  { name: 'many states', pattern: '[ab]*a[ab]{12}c$', unit: 'abbab', inVain: ['c', ''], found: ['', 'abbbbabbbbabbc'] },
  { name: 'word boundaries', pattern: '^(?:\\b\\w+\\b\\s?)+$', unit: 'ab ab ', inVain: ['', '!'], found: ['', ''] },
  {
    name: 'lines',
    pattern: '(?m)^(?:\\s*\\w*\\s*)*;$',
    native: '(?:^|\\n)(?:\\s*\\w*\\s*)*;$',
    unit: 'ab \n',
    inVain: [';!\n', ''],
    found: ['', ';'],
  },
];

/** A text of about so many UTF-16 units for a case. */
export function regexText({ unit, ...texts }: RegexCase, which: 'inVain' | 'found', units: number): string {
  const [start, end] = texts[which];
  return start + unit.repeat(Math.ceil((units - start.length - end.length) / unit.length)) + end;
}

/** What tries a pattern on a text: Assay for a yes or no, Assay for the match itself, and the platform's own for a yes or no. */
export const REGEX_ENGINES = ['test', 'find', 'RegExp'] as const;

/** One of {@link REGEX_ENGINES}. */
export type RegexEngine = (typeof REGEX_ENGINES)[number];

/** Whether a text names one of them. */
export function isRegexEngine(text: string | undefined): text is RegexEngine {
  return (REGEX_ENGINES as readonly (string | undefined)[]).includes(text);
}
