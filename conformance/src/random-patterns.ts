/** Characters that patterns and texts are made of: case pairs that fold outside ASCII, several bytes, several units, line ends. */
const CHARACTERS = [
  'a',
  'b',
  'c',
  'A',
  'B',
  'k',
  'K',
  '\u212a',
  's',
  '\u017f',
  '0',
  '7',
  '_',
  '-',
  ' ',
  '\n',
  '\t',
  'é',
  'É',
  'α',
  'Σ',
  'σ',
  'ς',
  'ß',
  'я',
  '中',
  '😀',
  '\u0345',
];

const CLASSES = [
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\pL',
  '\\PL',
  '\\pN',
  '\\p{Lu}',
  '\\p{^Lu}',
  '\\P{Ll}',
  '\\P{^Ll}',
  '\\p{Greek}',
  '\\p{Cyrillic}',
  '\\p{Han}',
  '\\pZ',
  '\\pS',
  '\\p{Nd}',
  '\\p{Any}',
  '\\pM',
  '\\pC',
  '\\p{L}',
  '\\p{Latin}',
  '\\p{Common}',
];
const BAD_CLASSES = [
  '\\p{Nope}',
  '\\pX',
  '\\p',
  '\\p{',
  '\\P{greek}',
  '\\p{^}',
  '\\p{}',
  '\\pé',
  '\\p{Lc}',
  '\\p{LC}',
  '\\p{ASCII}',
  '\\p{Letter}',
  '\\p{Cn}',
  '\\p{Sc',
  '\\p{Lu}}',
  '\\p{Zyyy}',
  '\\p{Assigned}',
  '\\p{lu}',
  '\\p{Script=Greek}',
  '\\p{ Lu}',
  '\\p{Old_Italic}',
  '\\p{OldItalic}',
];
const POSIX = [
  'alnum',
  'alpha',
  'ascii',
  'blank',
  'cntrl',
  'digit',
  'graph',
  'lower',
  'print',
  'punct',
  'space',
  'upper',
  'word',
  'xdigit',
];
const BAD_POSIX = [
  '[[:foo:]]',
  '[[:alpha]]',
  '[[:^alpha:]',
  '[:alpha:]',
  '[[:Alpha:]]',
  '[[::]]',
  '[[:word:]-z]',
  '[a-[:digit:]]',
  '[[.a.]]',
  '[[=a=]]',
];
const ASSERTIONS = ['^', '$', '\\A', '\\z', '\\b', '\\B'];
const ESCAPES = [
  '\\.',
  '\\*',
  '\\n',
  '\\t',
  '\\r',
  '\\a',
  '\\f',
  '\\v',
  '\\x41',
  '\\x{61}',
  '\\x{1F600}',
  '\\x{10FFFF}',
  '\\x{3b1}',
  '\\101',
  '\\012',
  '\\0',
  '\\07',
  '\\-',
  '\\/',
  '\\_',
  '\\"',
  '\\#',
  '\\~',
  '\\&',
  '\\,',
  '\\x{000061}',
  '\\060',
];
const BAD_ESCAPES = [
  '\\8',
  '\\1',
  '\\9a',
  '\\x',
  '\\x4',
  '\\x{}',
  '\\x{110000}',
  '\\x{zz}',
  '\\x{61',
  '\\xg1',
  '\\Z',
  '\\C',
  '\\Gx',
  '\\e',
  '\\é',
  '\\y',
  '\\u0061',
  '\\k<n>',
  '\\h',
  '\\R',
  '\\X',
  '\\N',
  '\\c',
  '\\cA',
  '\\7',
  '\\',
  '\\x{D800}',
  '\\x{00000000000061}',
  '\\😀',
  '\\ ',
];
const FLAGS = ['(?i)', '(?m)', '(?s)', '(?U)', '(?i-s)', '(?-i)', '(?ms)', '(?im-sU)', '(?-m)'];
const BAD_GROUPS = [
  '(?',
  '(?P',
  '(?P<',
  '(?P<n',
  '(?P<>a)',
  '(?<>a)',
  '(?<n',
  '(?P<1-a>a)',
  '(?P=n)',
  '(?P>n)',
  '(?=a)',
  '(?!a)',
  '(?<=a)',
  '(?<!a)',
  '(?#c)',
  '(?x)a',
  '(?i',
  '(?-)',
  '(?--i)',
  '(?i-)',
  '(?i-:a)',
  '(?ii)',
  '(?)',
  '(?:',
  '(?<n a>b)',
  '(?P<é>a)',
  '(?<n>a)(?<n>b)',
  '(?P<n>a)(?P<n>b)',
  '(?>a)',
  '(?|a)',
  "(?'n'a)",
  '(?n:a)',
  '(?é)',
  '(?P<n',
  '(?<n>a',
  '(?P<a>(?<b>',
  ')',
  '())',
  '(()',
  '(?i)(?',
  '(?P<名>a)',
  '(?i:',
  '(?-:a)',
  '(?^i)',
];
const REPEATS = [
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '{2}',
  '{0}',
  '{0,0}',
  '{1,}',
  '{0,1}',
  '{2,3}',
  '{1,3}?',
  '{2,}?',
  '{,2}',
  '{ 2}',
  '{a}',
  '{',
  '}',
  '{2',
  '{2,',
];
const BAD_REPEATS = [
  '**',
  '+*',
  '?+',
  '*+',
  '++',
  '{2}{3}',
  '{1001}',
  '{1000}',
  '{2,1}',
  '{0,1001}',
  '{1000,}',
  '{1001,}',
  '{2}*',
  '*{2}',
  '{01}',
  '{1,02}',
  '{999999999999}',
  '{100}{11}',
  '{,}',
  '?{2}',
  '???',
  '{3}??',
  '+?*',
  '{-1}',
  '{1,1000}',
  '{100000000}',
  '{1,99999999999999999999}',
  '{2}?{2}',
  '{1,2}+',
];
/** Patterns near the limits on size and depth, and repetitions that multiply. */
const LIMITS = [
  '(((a{100}){100}){100})',
  '((a{100}){10}){2}',
  '((a{100}){10})',
  '(a{1000}){2}',
  '((a{2,100}){10,}){1,2}',
  'x{1000}y{1000}',
  '(a{1,50}){1,20}',
  '(a{1,50}){1,21}',
  '((((a{10}){10}){10}){1}){1}',
  '(a*){1000}',
  '(|a){1000}',
  '((a?){500}){2}',
  '((a?){501}){2}',
  '(\\pL{100}){10}',
  '(\\pL{100}){11}',
  '(?:(?:a{10}){10}){10}',
  '(?i:(?:ab){500}){2}',
  '((?:(?:(?:\\d{9}){9}){9}){9})',
  '(a{0,1000}){0}',
  '(a{500}b{500}){2}',
  '(a{500}){2}b{1000}',
  '('.repeat(999) + ')'.repeat(999),
  '('.repeat(1000) + ')'.repeat(1000),
  '('.repeat(1001) + ')'.repeat(1001),
  '(?:'.repeat(1000) + 'a' + ')'.repeat(1000),
  '(?:'.repeat(1001) + 'a' + ')'.repeat(1001),
  '(?:'.repeat(1001) + 'a' + ')*'.repeat(1001),
  '(?:'.repeat(500) + 'a' + ')*'.repeat(500),
  '(?:a|'.repeat(400) + 'a' + ')'.repeat(400),
  '(xx|'.repeat(998) + 'a' + ')'.repeat(998),
  '(?i:'.repeat(1002),
  '((((((((((a{2}){2}){2}){2}){2}){2}){2}){2}){2}){2})',
  '((((((((((a{2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}',
  '(?:(?:' + 'a?'.repeat(300) + '){30}){30}',
  '[\\pL\\pN]{1000}',
  '(?i)[\\pL]{1000}',
  '(?:\\pL|\\pN|\\pM){1000}',
  '(?:[a-z]|[A-Z]|é){1000}',
  '(?:'.repeat(998) + 'ab' + ')*'.repeat(998),
];

/** Random patterns of RE2's syntax, most of them valid, and texts for them. The same for the same numbers. */
export class RandomPatterns {
  readonly #random: () => number;

  /** @param random numbers from 0 up to 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** A pattern. One in eight has a construct that Go refuses or that is near a limit, one in sixteen a random slip. */
  pattern(): string {
    const pattern = this.#alternation(this.#below(4));
    switch (this.#below(16)) {
      case 0:
        return this.#slip(pattern);
      case 1:
        return this.#spliced(pattern, this.#oneOf([...BAD_CLASSES, ...BAD_POSIX, ...BAD_ESCAPES]));
      case 2:
        return this.#spliced(pattern, this.#oneOf([...BAD_GROUPS, ...BAD_REPEATS]));
      case 3:
        return this.#below(4) === 0 ? this.#oneOf(LIMITS) : this.#oneOf(FLAGS) + pattern;
      default:
        return pattern;
    }
  }

  /** A text of at most 14 of the characters that patterns are made of. */
  text(): string {
    return this.#several(this.#below(15), () => this.#oneOf(CHARACTERS));
  }

  #alternation(depth: number): string {
    const branches = this.#below(4) === 0 ? 1 + this.#below(4) : 1;
    return Array.from({ length: branches }, () => this.#several(this.#below(5), () => this.#repeated(depth))).join('|');
  }

  #repeated(depth: number): string {
    const atom = this.#atom(depth);
    return this.#below(3) === 0 ? atom + this.#oneOf(REPEATS) : atom;
  }

  #atom(depth: number): string {
    switch (this.#below(depth > 0 ? 14 : 9)) {
      case 0:
      case 1:
      case 2:
        return this.#literal();
      case 3:
        return '.';
      case 4:
        return this.#oneOf(CLASSES);
      case 5:
        return this.#class();
      case 6:
        return this.#oneOf(ASSERTIONS);
      case 7:
        return this.#oneOf(ESCAPES);
      case 8:
        return this.#below(3) === 0
          ? `\\Q${this.#literal()}${this.#oneOf(['.*', '(', '', '\\', '+'])}${this.#oneOf(['\\E', '\\E', '\\E', ''])}`
          : this.#literal();
      case 9:
        return `(${this.#oneOf(['?i', '?s', '?m', '?U', '?i-s', '?-i', '?is'])}:${this.#alternation(depth - 1)})`;
      case 10:
        return `(${this.#oneOf(['?P<n', '?<n'])}${this.#below(50)}>${this.#alternation(depth - 1)})`;
      case 11:
        return `(?:${this.#alternation(depth - 1)})`;
      case 12:
        return this.#oneOf(FLAGS);
      default:
        return `(${this.#alternation(depth - 1)})`;
    }
  }

  #class(): string {
    const parts = this.#several(1 + this.#below(3), () => {
      switch (this.#below(6)) {
        case 0:
          return this.#range();
        case 1:
          return this.#oneOf(CLASSES);
        case 2:
          return `[:${this.#oneOf(['', '^'])}${this.#oneOf(POSIX)}:]`;
        case 3:
          return this.#oneOf(ESCAPES);
        case 4:
          return this.#oneOf(['-', ']', '^', '[', '&&', '.', '$', '\\]', '\\b', '--', '\\Q']);
        default:
          return this.#literal();
      }
    });
    return `[${this.#oneOf(['', '', '^'])}${parts}]`;
  }

  #range(): string {
    const [from, to] = [this.#oneOf(CHARACTERS), this.#oneOf(CHARACTERS)];
    // Most ranges the right way round.
    return this.#below(8) === 0 || from.codePointAt(0)! <= to.codePointAt(0)! ? `${from}-${to}` : `${to}-${from}`;
  }

  #literal(): string {
    return this.#oneOf(CHARACTERS);
  }

  /** One character dropped, doubled or replaced. */
  #slip(pattern: string): string {
    const characters = [...pattern];
    const at = this.#below(characters.length + 1);
    const inserted = this.#oneOf(['', '(', ')', '[', ']', '{', '}', '\\', '*', '?', '+', '|', '^', '-', characters[at] ?? 'a']);
    characters.splice(at, this.#below(2), inserted);
    return characters.join('');
  }

  #spliced(pattern: string, part: string): string {
    const characters = [...pattern];
    characters.splice(this.#below(characters.length + 1), 0, part);
    return characters.join('');
  }

  #several(count: number, make: () => string): string {
    return Array.from({ length: count }, make).join('');
  }

  #oneOf(choices: readonly string[]): string {
    return choices[this.#below(choices.length)]!;
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }
}
