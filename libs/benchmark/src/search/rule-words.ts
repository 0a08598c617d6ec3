import { tokenize, unescapeFieldName } from '#cel';
import { compileRegex } from '#go';

/** Texts and numbers that a rule names. */
export interface RuleWords {
  /** Names of fields, and of all else that is an identifier. */
  readonly names: ReadonlySet<string>;
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** Texts that are patterns of RE2 and say more than themselves. */
  readonly patterns: readonly string[];
}

const MOST_TEXTS = 12;
const MOST_NUMBERS = 6;
const LONGEST_TEXT = 60;
const META = /[\\^$.|?*+()[\]{}]/;

/** Texts that functions can read, by the function. */
const READABLE: readonly (readonly [called: RegExp, text: string])[] = [
  [/^(?:url|isURL)$/, 'http://a.b/c'],
  [/^(?:ip|isIP)$/, '10.0.0.1'],
  [/^(?:ip|isIP)$/, 'fd00::1'],
  [/^(?:cidr|isCIDR)$/, '10.0.0.0/8'],
  [/^(?:quantity|isQuantity)$/, '1Gi'],
  [/^duration$/, '5s'],
  [/^timestamp$/, '2024-01-01T00:00:00Z'],
  [/^(?:semver|isSemver)$/, '1.2.3'],
  [/^(?:int|double|uint)$/, '1'],
];

/** Returns the words of an expression; none if it is no expression. */
export function wordsOf(expression: string): RuleWords {
  const names = new Set<string>();
  const texts = new Set<string>();
  const numbers = new Set<number>();
  for (const { kind, text } of tokenize(expression) ?? []) {
    if (kind === 'IDENTIFIER') names.add(unescapeFieldName(text) ?? text);
    else if (kind === 'ESC_IDENTIFIER') names.add(text.slice(1, -1));
    else if (kind === 'STRING') texts.add(unquoted(text));
    else if (kind === 'NUM_INT' || kind === 'NUM_FLOAT') numbers.add(Number(text));
  }
  // A field may be named as a key.
  for (const text of texts) names.add(text);
  const patterns = [...texts].filter((text) => META.test(text) && compileRegex(text).ok);
  const short = [...texts].filter((text) => text.length <= LONGEST_TEXT);
  for (const [called, text] of READABLE) if ([...names].some((name) => called.test(name))) short.push(text);
  return {
    names,
    texts: [...new Set(short)].slice(0, MOST_TEXTS),
    numbers: [...numbers].filter(Number.isFinite).slice(0, MOST_NUMBERS),
    patterns: patterns.slice(0, MOST_TEXTS),
  };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Returns the text of a literal, its plain escapes read. */
function unquoted(literal: string): string {
  const isRaw = /^[rR]/.test(literal);
  const [, quote = '"'] = /^[rR]?("""|'''|"|')/.exec(literal) ?? [];
  const body = literal.slice((isRaw ? 1 : 0) + quote.length, -quote.length);
  return isRaw ? body : body.replaceAll(/\\(.)/gs, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}
