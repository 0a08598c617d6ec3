/** Part of a pattern from `start` to `end`, and the text that replaces it. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Pattern in the syntax of re2js, with a function that restores the original text. */
export interface RewrittenPattern {
  readonly text: string;
  /** Returns the original text for `excerpt`, a part of the rewritten pattern. */
  original(excerpt: string): string;
}

/** Mark that is added to class names that only re2js accepts. re2js then rejects these names, as Go does. */
const UNKNOWN_MARK = '?';

/** Pattern of a POSIX class such as `[:alpha:]`, which occurs inside another class. */
export const POSIX_CLASS = /\[:\^?\w+:\]/y;
/**
 * Pattern of the start of a class. It includes a `]` directly after the bracket or caret, because such a `]` is a character of the class.
 */
export const CLASS_START = /\[\^?\]?/y;
/** Pattern of a named class such as `\pL` or `\P{^Greek}`. Its groups are the caret, the name in braces, and the single letter. */
export const UNICODE_CLASS = /\\[pP](?:\{(\^?)([^}]*)\}|([^{]))/suy;
const GROUP_NAME = /\(\?P?<\w+>/y;

/**
 * Rewrites a pattern for re2js. Names of Unicode classes are changed to the spelling of re2js, because Go accepts many spellings. If
 * `withoutGroupNames` is true, names of groups are removed, because Go allows the same name twice. The names have no effect on matches.
 */
export function rewritePattern(pattern: string, withoutGroupNames: boolean): RewrittenPattern {
  const replacements = [...replacementsIn(pattern, withoutGroupNames)];
  if (replacements.length === 0) return { text: pattern, original: (excerpt) => excerpt };
  let text = '';
  let end = 0;
  for (const part of replacements) {
    text += pattern.slice(end, part.start) + part.text;
    end = part.end;
  }
  text += pattern.slice(end);
  return { text, original: (excerpt) => originalOf(excerpt, text, pattern, replacements) };
}

function* replacementsIn(pattern: string, withoutGroupNames: boolean): Generator<Replacement> {
  let inClass = false;
  for (let i = 0; i < pattern.length;) {
    const char = pattern.charAt(i);
    const name = char === '(' && withoutGroupNames && !inClass ? matchAt(GROUP_NAME, pattern, i) : null;
    if (name !== null) {
      yield { start: i, end: i + name[0].length, text: '(' };
      i += name[0].length;
    } else if (char === '\\') {
      const named = matchAt(UNICODE_CLASS, pattern, i);
      const text = named === null ? undefined : classInOtherWords(named);
      const end = named === null ? endOfEscape(pattern, i, inClass) : i + named[0].length;
      if (text !== undefined) yield { start: i, end, text };
      i = end;
    } else if (char === '[') {
      const opening = matchAt(inClass ? POSIX_CLASS : CLASS_START, pattern, i);
      i += opening?.[0].length ?? 1;
      inClass = true;
    } else {
      if (char === ']') inClass = false;
      i++;
    }
  }
}

/** Returns the match of an expression at the offset `index`. The expression must have the flag `y`. */
export function matchAt(expression: RegExp, text: string, index: number): RegExpExecArray | null {
  expression.lastIndex = index;
  return expression.exec(text);
}

/** Returns the end of an escape. `\Q…\E` outside a class is one literal. */
function endOfEscape(pattern: string, start: number, inClass: boolean): number {
  if (inClass || !pattern.startsWith('\\Q', start)) return start + 2;
  const end = pattern.indexOf('\\E', start + 2);
  return end < 0 ? pattern.length : end + 2;
}

/**
 * Returns the Unicode character class of a pattern, such as `\pL`, in the spelling of re2js. Returns undefined if the class already has
 * this spelling.
 */
export function classInOtherWords([written, caret = '', braced, letter = '']: RegExpExecArray): string | undefined {
  const name = braced ?? letter;
  const found = unicodeClass(name);
  const spelled = `${written.slice(0, 2)}{${caret}${found ?? UNKNOWN_MARK + name}}`;
  return found === name || (found === undefined && braced === undefined) ? undefined : spelled;
}

function originalOf(excerpt: string, text: string, pattern: string, replacements: readonly Replacement[]): string {
  const start = text.endsWith(excerpt) ? text.length - excerpt.length : text.indexOf(excerpt);
  if (start < 0) return excerpt;
  const originalOffset = (offset: number): number => {
    let shift = 0;
    for (const part of replacements) {
      // A part does not shift offsets before it, or in the beginning that it shares with its replacement. All other offsets keep their
      // distance to the end of the part.
      if (offset <= part.start + shift + unchanged(part, pattern)) break;
      shift += part.text.length - (part.end - part.start);
    }
    return offset - shift;
  };
  return pattern.slice(originalOffset(start), originalOffset(start + excerpt.length));
}

/** Returns the length of the common beginning of the original text and its replacement. */
function unchanged({ start, end, text }: Replacement, pattern: string): number {
  let length = 0;
  while (start + length < end && text[length] === pattern[start + length]) length++;
  return length;
}

/**
 * General categories of Unicode, and the sets that Go adds to them. In Go's normalized form, the first letter of a name is upper case and
 * the rest is lower case.
 */
const CATEGORIES =
  'Any Ascii Assigned C Cc Cf Cn Co Cs L Lc Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs';

/**
 * Scripts of Unicode 15.0 whose names have one word. Go never finds a script with a longer name, because it removes underscores from the
 * requested name.
 */
const SCRIPTS =
  'Adlam Ahom Arabic Armenian Avestan Balinese Bamum Batak Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Carian Chakma Cham Cherokee ' +
  'Chorasmian Common Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari Dogra Duployan Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic ' +
  'Grantha Greek Gujarati Gurmukhi Han Hangul Hanunoo Hatran Hebrew Hiragana Inherited Javanese Kaithi Kannada Katakana Kawi Kharoshthi Khmer ' +
  'Khojki Khudawadi Lao Latin Lepcha Limbu Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Medefaidrin Miao Modi ' +
  'Mongolian Mro Multani Myanmar Nabataean Nandinagari Newa Nko Nushu Ogham Oriya Osage Osmanya Palmyrene Phoenician Rejang Runic Samaritan ' +
  'Saurashtra Sharada Shavian Siddham Sinhala Sogdian Soyombo Sundanese Syriac Tagalog Tagbanwa Takri Tamil Tangsa Tangut Telugu Thaana Thai ' +
  'Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Yezidi Yi';

/** Long names of categories in Go's normalized form, with their short names. */
const ALIASES: Readonly<Record<string, string>> = {
  Casedletter: 'Lc',
  Closepunctuation: 'Pe',
  Cntrl: 'Cc',
  Combiningmark: 'M',
  Connectorpunctuation: 'Pc',
  Control: 'Cc',
  Currencysymbol: 'Sc',
  Dashpunctuation: 'Pd',
  Decimalnumber: 'Nd',
  Digit: 'Nd',
  Enclosingmark: 'Me',
  Finalpunctuation: 'Pf',
  Format: 'Cf',
  Initialpunctuation: 'Pi',
  Letter: 'L',
  Letternumber: 'Nl',
  Lineseparator: 'Zl',
  Lowercaseletter: 'Ll',
  Mark: 'M',
  Mathsymbol: 'Sm',
  Modifierletter: 'Lm',
  Modifiersymbol: 'Sk',
  Nonspacingmark: 'Mn',
  Number: 'N',
  Openpunctuation: 'Ps',
  Other: 'C',
  Otherletter: 'Lo',
  Othernumber: 'No',
  Otherpunctuation: 'Po',
  Othersymbol: 'So',
  Paragraphseparator: 'Zp',
  Privateuse: 'Co',
  Punct: 'P',
  Punctuation: 'P',
  Separator: 'Z',
  Spaceseparator: 'Zs',
  Spacingmark: 'Mc',
  Surrogate: 'Cs',
  Symbol: 'S',
  Titlecaseletter: 'Lt',
  Unassigned: 'Cn',
  Uppercaseletter: 'Lu',
};

const NAMES: ReadonlyMap<string, string> = new Map([
  ...`${CATEGORIES} ${SCRIPTS}`.split(' ').map((name) => [name, name] as const),
  ...Object.entries(ALIASES),
]);

/**
 * Returns the class that Go finds for a name in `\p{name}`, in the spelling of re2js. Returns undefined if Go finds no class. The look-up
 * ignores case, spaces, underscores and hyphens. Source: Go 1.26 regexp/syntax/parse.go `canonicalName`, `unicodeTable`, and
 * unicode/tables.go (Unicode 15.0).
 */
function unicodeClass(name: string): string | undefined {
  const letters = name.replace(/[ _-]/g, '');
  return NAMES.get(letters.slice(0, 1).toUpperCase() + letters.slice(1).replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
}
