import { tokenize, unescapeFieldName } from '#cel';
import { compileRegex } from '#go';

/** Names, texts and numbers that occur in the expression of a rule. */
export interface RuleWords {
  /** Names of fields, and all other identifiers in the expression. */
  readonly names: ReadonlySet<string>;
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** Texts in the expression that are RE2 patterns and contain at least one special character of patterns. */
  readonly patterns: readonly string[];
}

const MAX_TEXTS = 16;
const MAX_NUMBERS = 6;
const MAX_TEXT_LENGTH = 60;
const META = /[\\^$.|?*+()[\]{}]/;
const META_ALL = new RegExp(META, 'g');

/** Patterns of texts that a CEL function can parse. The first element of each pair matches the name of the function. */
const READABLE: readonly (readonly [called: RegExp, pattern: string])[] = [
  [/^(?:url|isURL)$/, '^https://[a-z]+/[a-z]*$'],
  [/^(?:url|isURL)$/, '^http://[a-z]+/[a-z]*$'],
  [/^(?:ip|isIP)$/, '^10[.]0[.][1-9]{1,2}[.][1-9]{1,2}$'],
  [/^(?:ip|isIP)$/, '^fd00::[1-9a-f]{1,4}$'],
  [/^(?:ip|isIP)$/, '^fd[1-9a-f]{2}(:[1-9a-f]{4}){7}$'],
  [/^(?:cidr|isCIDR)$/, '^fd[1-9a-f]{2}(:[1-9a-f]{4}){7}/128$'],
  [/^(?:cidr|isCIDR)$/, '^10[.][1-9]{1,2}[.][1-9]{1,2}[.]0/24$'],
  [/^(?:cidr|isCIDR)$/, '^fd00:[1-9a-f]{1,4}::/64$'],
  [/^(?:quantity|isQuantity)$/, '^[1-9][0-9]*Gi$'],
  [/^(?:quantity|isQuantity|isInteger|int|double|uint)$/, '^0*1$'],
  [/^duration$/, '^[1-9][0-9]{0,4}s$'],
  [/^duration$/, '^0*1s$'],
  [/^timestamp$/, '^20[2-9][0-9]-0[1-9]-1[0-9]T0[0-9]:[0-5][0-9]:[0-5][0-9]Z$'],
  [/^(?:semver|isSemver)$/, '^[1-9][0-9]{0,3}[.][0-9][.][0-9]$'],
  [/^(?:semver|isSemver)$/, '^1[.]2[.]3-[a-z]+$'],
  [/^(?:int|double|uint)$/, '^[1-9][0-9]{0,8}$'],
];

/**
 * Returns the names, texts, numbers and patterns that occur in an expression. The result is empty if the expression cannot be tokenized.
 */
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
  // A rule may name a field in quotes, as in `self['name']`.
  for (const text of texts) names.add(text);
  const readable = READABLE.filter(([called]) => [...names].some((name) => called.test(name))).map(([, pattern]) => pattern);
  const patterns = [
    ...readable,
    ...(names.has('split') ? splitPatterns([...texts], [...numbers]) : []),
    ...[...texts].filter((text) => META.test(text) && compileRegex(text).ok),
  ];
  const short = [...texts].filter((text) => text.length <= MAX_TEXT_LENGTH);
  return {
    names,
    texts: [...new Set([...short, ...joinedTexts(short)])].slice(0, MAX_TEXTS),
    numbers: [...numbers].filter(Number.isFinite).slice(0, MAX_NUMBERS),
    patterns: patterns.slice(0, MAX_TEXTS),
  };
}

/** Maximum number of parts of a text that a rule splits. `MAX_SEPARATOR` is the maximum length of a separator. */
const MAX_PARTS = 64;
const MAX_SEPARATOR = 3;

/**
 * Returns patterns of texts that split into as many parts as a number in the rule says. The last part can be long. For example, texts of
 * `^a a a a a+$` split at blanks into five parts.
 */
function splitPatterns(texts: readonly string[], numbers: readonly number[]): readonly string[] {
  const separators = texts.filter((text) => text.length > 0 && text.length <= MAX_SEPARATOR && /^[^\w]+$/.test(text));
  const counts = numbers.filter((count) => Number.isInteger(count) && count > 1 && count <= MAX_PARTS);
  return separators.flatMap((separator) => {
    const quoted = separator.replaceAll(META_ALL, '\\$&');
    return counts.map((count) => `^${`a${quoted}`.repeat(count - 1)}a+$`);
  });
}

/** Returns texts that contain a separator, such as `x/x`, for each separator that occurs as a text in the rule. */
function joinedTexts(texts: readonly string[]): readonly string[] {
  const words = texts.filter((text) => /^[\w.-]{2,}$/.test(text)).slice(0, 2);
  return texts.filter((text) => /^[^\w\s]$/.test(text)).flatMap((separator) => ['x', ...words].map((word) => `${word}${separator}x`));
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Returns the text of a string literal, with simple escape sequences decoded. */
function unquoted(literal: string): string {
  const isRaw = /^[rR]/.test(literal);
  const [, quote = '"'] = /^[rR]?("""|'''|"|')/.exec(literal) ?? [];
  const body = literal.slice((isRaw ? 1 : 0) + quote.length, -quote.length);
  return isRaw ? body : body.replaceAll(/\\(.)/gs, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}

/**
 * Returns the names, texts, numbers and patterns that occur in at least one of several expressions. Texts, numbers and patterns are limited
 * in number.
 */
export function joinedWords(all: readonly RuleWords[]): RuleWords {
  return {
    names: new Set(all.flatMap(({ names }) => [...names])),
    texts: [...new Set(all.flatMap(({ texts }) => texts))].slice(0, MAX_TEXTS),
    numbers: [...new Set(all.flatMap(({ numbers }) => numbers))].slice(0, MAX_NUMBERS),
    patterns: [...new Set(all.flatMap(({ patterns }) => patterns))].slice(0, MAX_TEXTS),
  };
}
