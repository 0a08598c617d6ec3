import { Spelled, membersOf } from './tree.ts';
import type { Tree } from './tree.ts';
import type { Dice } from './dice.ts';
import { BY_FORMAT } from './format-values.ts';

/** Spellings of numbers at limits where JSON readers, value ranges and integer types differ. */
export const NUMBERS =
  '0 -0 1 -1 2 3 5 7 10 100 1.0 -0.0 1e3 1E+2 1e-3 0.1 0.5 1.5 -1.5 2.5 255 256 65535 65536 2147483647 2147483648 -2147483648 -2147483649 4294967295 4294967296 9007199254740991 9007199254740992 9007199254740993 -9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 9.223372036854775807e18 1e18 1e19 1e20 1e21 1e22 1e-6 1e-7 1.7976931348623157e308 5e-324 1e-400 0.30000000000000004 123456789.0 3.4028235e38 3.4028236e38 1000000 1e6 1234567.875 100000000000000000000 0e0 0.000001'.split(
    ' ',
  );

/** Strings at limits where lengths, quoting rules and encodings differ. */
const STRINGS: readonly string[] = [
  '',
  ' ',
  'a',
  'A',
  'abc',
  'a-b',
  'a.b',
  'a/b',
  'example.com',
  'foo',
  'Foo',
  'default',
  'kube-system',
  '-a',
  'a-',
  'a_b',
  '0',
  '1',
  '1.0',
  'true',
  'null',
  '~',
  'x'.repeat(62),
  'x'.repeat(63),
  'x'.repeat(64),
  'x'.repeat(253),
  'x'.repeat(254),
  'x'.repeat(300),
  `${'a.'.repeat(126)}a`,
  'é',
  'e\u0301',
  '👑',
  '👑'.repeat(20),
  'ß',
  'İ',
  '\u0000',
  'a\u0000b',
  '\u2028',
  '\ud800',
  'a\udc00b',
  '<a href="x">&</a>',
  '"quoted"',
  "it's",
  'back\\slash',
  'line\nbreak',
  'tab\t',
  'cr\r\n',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\ufeff',
  '\ufffd',
  '\u200b',
  '__proto__',
  '%s %d',
  '${x}',
  '10',
  '100m',
  '1Gi',
  '10%',
  '50%',
  '101%',
  '-1',
  '+1',
  '1e3',
  '0x10',
  '0b1',
  '0o7',
  '1_000',
  '.5',
  '2024-01-01',
  '2024-01-01T00:00:00Z',
];

/** RE2 patterns, some valid and some invalid. */
export const PATTERNS = [
  '^[a-z]+$',
  '^a',
  'b$',
  '',
  '.*',
  '^\\d{1,3}$',
  '[[:alpha:]]+',
  '\\p{L}+',
  '(?i)abc',
  '^(a|b)*$',
  '^.{2,4}$',
  '\\bfoo\\b',
  '^[^<>]*$',
  '\\x{1F451}',
  '(',
  'a**',
  '[z-a]',
  '(?<n>a)',
  '(?P<n>a)',
  '\\p{Foo}',
  'a{1001}',
  '(?!a)',
  '\\1',
  '[',
  '\\',
  'x{2,1}',
  '(?z)',
  '^\\w+\\z',
  '\\Qa.b\\E',
  '(?s).+',
];

/** Returns a random number at a limit of readers or number types. */
export function edgeNumber(dice: Dice): Spelled {
  return new Spelled(dice.chance(0.15) ? String(dice.below(200) - 50) : dice.pick(NUMBERS));
}

/** Returns a random string. If a format is given, the string mostly has this format. Some strings are damaged by one character. */
export function edgeString(dice: Dice, format?: string): string {
  const known = format === undefined ? undefined : BY_FORMAT[format];
  const text =
    known && dice.chance(0.85) ? dice.pick(known) : dice.chance(0.8) ? dice.pick(STRINGS) : dice.pick(dice.pick(Object.values(BY_FORMAT)));
  return dice.chance(0.2) ? damaged(dice, text) : text;
}

/** Returns a text in which one character is inserted, removed, doubled or replaced. */
export function damaged(dice: Dice, text: string): string {
  const characters = [...text];
  const at = dice.below(characters.length + 1);
  const other = dice.pick([...' -.:/0159aAzZ_é\u00e9\n\t+%[]@"\\', '👑', '\u0660', '\u017f', '\u212a']);
  const how = dice.below(4);
  characters.splice(at, how === 0 ? 0 : 1, ...(how === 1 ? [] : how === 2 ? [characters[at] ?? '', characters[at] ?? ''] : [other]));
  return characters.join('');
}

/** Returns a random value of any JSON type, with numbers and strings at limits. */
export function edgeValue(dice: Dice, depth = 2): Tree {
  const kinds = depth > 0 ? 8 : 5;
  switch (dice.below(kinds)) {
    case 0:
      return null;
    case 1:
      return dice.chance(0.5);
    case 2:
      return edgeNumber(dice);
    case 5:
      return Array.from({ length: dice.below(4) }, () => edgeValue(dice, depth - 1));
    case 6:
    case 7: {
      const members = membersOf({});
      for (let n = dice.below(4); n > 0; n--) members.set(edgeKey(dice), edgeValue(dice, depth - 1));
      return members;
    }
    default:
      return edgeString(dice);
  }
}

/** Returns a random property name that the schemas do not declare. */
export function edgeKey(dice: Dice): string {
  const keys = [
    '',
    'a',
    'x',
    'extra',
    'a.b',
    'a/b',
    'a[0]',
    'a b',
    '__proto__',
    'constructor',
    'toString',
    'é',
    '👑',
    '"',
    '\\',
    '\u0000',
    'Spec',
    'SPEC',
    'apiVersion',
    'kind',
    'metadata',
    'status',
    'name',
    '0',
    'x'.repeat(70),
    '<&>',
    '\n',
    "it's",
    'items',
  ];
  return dice.chance(0.8) ? dice.pick(keys) : edgeString(dice);
}
