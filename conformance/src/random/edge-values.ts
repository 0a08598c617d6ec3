import { Spelled, membersOf } from './tree.ts';
import type { Tree } from './tree.ts';
import type { Dice } from './dice.ts';

/** Spellings of numbers at which readers, ranges and integers part ways. */
export const NUMBERS =
  '0 -0 1 -1 2 3 5 7 10 100 1.0 -0.0 1e3 1E+2 1e-3 0.1 0.5 1.5 -1.5 2.5 255 256 65535 65536 2147483647 2147483648 -2147483648 -2147483649 4294967295 4294967296 9007199254740991 9007199254740992 9007199254740993 -9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 9.223372036854775807e18 1e18 1e19 1e20 1e21 1e22 1e-6 1e-7 1.7976931348623157e308 5e-324 1e-400 0.30000000000000004 123456789.0 3.4028235e38 3.4028236e38 1000000 1e6 1234567.875 100000000000000000000 0e0 0.000001'.split(
    ' ',
  );

/** Strings at which lengths, quoting and encodings part ways. */
export const STRINGS: readonly string[] = [
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

/** Values by format: some that have it, some that nearly have it. */
export const BY_FORMAT: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ['507f1f77bcf86cd799439011', '507f1f77bcf86cd79943901', '507F1F77BCF86CD799439011', '507f1f77bcf86cd79943901g'],
  uri: [
    'http://a',
    'http://[::1]:80/x',
    '/path',
    'a',
    '//x',
    'http://a b',
    'mailto:a@b',
    'http://%zz',
    'http://a:b',
    '*',
    'http://a?x#y',
    ':',
    'é:x',
    'http://[::1',
    'http://user:p w@x',
  ],
  email: [
    'a@b.c',
    'A <a@b.c>',
    '"a b"@c',
    'a@[1.2.3.4]',
    'a@b',
    '@',
    'a@b@c',
    'a(comment)@b',
    'é@ü',
    '=?utf-8?q?x?= <a@b>',
    'a..b@c',
    '<a@b>',
    'a@b.c,',
    'a @ b',
  ],
  hostname: [
    'a',
    'a.b',
    'a-b.cd',
    '-a',
    'a-',
    'a..b',
    'a.b.',
    'a.1',
    'é.com',
    '1.2.3.4',
    'a_b',
    `${'a'.repeat(63)}.com`,
    `${'a'.repeat(64)}.com`,
    'a.c',
    'a.co',
    'a--b.com',
  ],
  ipv4: [
    '1.2.3.4',
    '01.2.3.4',
    '1.2.3',
    '256.1.1.1',
    '::ffff:1.2.3.4',
    '1.2.3.4 ',
    '0.0.0.0',
    '1.2.3.4%eth0',
    '::1',
    '001.002.003.004',
    '1.2.3.08',
  ],
  ipv6: [
    '::1',
    '::',
    '::ffff:1.2.3.4',
    '1.2.3.4',
    'fe80::1%eth0',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8:9',
    ':::',
    '::FFFF',
    '2001:db8::01',
    '::ffff:01.2.3.4',
    '1::2::3',
  ],
  cidr: [
    '10.0.0.0/8',
    '::/0',
    '1.2.3.4/33',
    '1.2.3.4',
    '1.2.3.4/08',
    '::1/129',
    '010.0.0.0/8',
    '1.2.3.4/-1',
    '1.2.3.4/+8',
    '::ffff:1.2.3.4/100',
    'fe80::1%e/64',
  ],
  mac: [
    '01:02:03:04:05:06',
    '0102.0304.0506',
    '01-02-03-04-05-06',
    '01:02:03:04:05',
    '01:02:03:04:05:06:07:08',
    '1:2:3:4:5:6',
    '01:02-03:04:05:06',
    'GG:02:03:04:05:06',
  ],
  uuid: [
    'a8098c1a-f86e-11da-bd1a-00112444be1e',
    'A8098C1Af86e11dabd1a00112444be1e',
    'a8098c1a-f86e-11da-bd1a-00112444be1',
    'a8098c1af86e-11da-bd1a-00112444be1e',
    '{a8098c1a-f86e-11da-bd1a-00112444be1e}',
  ],
  uuid3: ['bcd02e22-68f0-3046-a512-327cca9def8f', 'bcd02e22-68f0-4046-a512-327cca9def8f', 'bcd02e2268f03046a512327cca9def8f'],
  uuid4: ['025b0d74-00a2-4048-bf57-227c5111bb34', '025b0d74-00a2-4048-cf57-227c5111bb34', '025b0d74-00a2-3048-bf57-227c5111bb34'],
  uuid5: ['886313e1-3b8a-5372-9b90-0c9aee199e5d', '886313e1-3b8a-5372-7b90-0c9aee199e5d', '886313e13b8a53729b900c9aee199e5d'],
  isbn: [
    '978-3-16-148410-0',
    '0-306-40615-2',
    '978-3-16-148410-1',
    '080442957X',
    '080442957x',
    '1',
    '978 3 16 148410 0',
    '0000000000',
    '978-0-306-40615-7',
  ],
  isbn10: ['0-306-40615-2', '080442957X', '080442957x', '0-306-40615-3', '978-3-16-148410-0', 'X000000000', '0 306 40615 2'],
  isbn13: ['978-3-16-148410-0', '9783161484100', '9793161484100', '978316148410X', '0-306-40615-2', '9773161484100'],
  creditcard: [
    '4111-1111-1111-1111',
    '4111111111111111',
    '4111111111111112',
    '378282246310005',
    '6011111111111117',
    '5555 5555 5555 4444',
    '0000000000000000',
    '4111x1111x1111x1111',
    '3530111333300000',
  ],
  ssn: ['111-11-1111', '111 11 1111', '111111111', '000-11-1111', '111-11 1111', '666-11-1111', '111-11-11111'],
  hexcolor: ['#fff', 'fff', '#FFFFFF', '#ffff', '#ggg', '##fff', '#fffffff'],
  rgbcolor: [
    'rgb(0,0,0)',
    'rgb(255, 255, 255)',
    'rgb(256,0,0)',
    'rgb( 1 , 2 , 3 )',
    'RGB(0,0,0)',
    'rgb(01,0,0)',
    'rgb(0,0)',
    'rgb(0,0,0) ',
    'rgb(199,249,99)',
  ],
  byte: ['aGk=', 'aGk', 'aGVsbG8=', 'a', '!!!!', '', 'aGk=\n', 'a-_=', 'YQ==', 'YR==', '====', 'aG k='],
  password: ['', 'secret', '\u0000'],
  date: [
    '2024-02-29',
    '2023-02-29',
    '2024-2-9',
    '0000-01-01',
    '2024-01-01T00:00:00Z',
    '9999-12-31',
    '10000-01-01',
    '2024-13-01',
    '2024-01-32',
    ' 2024-01-01',
  ],
  'date-time': [
    '2024-01-01T00:00:00Z',
    '2024-01-01t00:00:00z',
    '2024-01-01T00:00:00.5+01:00',
    '2024-01-01 00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T23:59:60Z',
    '2024-01-01T00:00:00',
    '2024-01-01T00:00:00+24:00',
    '2024-01-01T00:00:00,5Z',
    '2024-01-01T00:00:00.123456789012Z',
    '2024-01-01T00:00:00-0000',
    '2024-01-01T00:00Z',
    '2024-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2024-01-01T0:00:00Z',
    '2024-01-01T00:00:00.Z',
    '1T00:00:00Z',
  ],
  datetime: ['2024-01-01T00:00:00Z', '2024-01-01', '2024-01-01T00:00:00.5+01:00'],
  duration: [
    '1h30m',
    '-1.5s',
    '3 days',
    '1',
    'soon',
    '',
    '1d',
    '1w',
    '2 weeks',
    '1us',
    '1µs',
    '1μs',
    '1ns',
    '0',
    '+5m',
    '1h 30m',
    '1.5',
    '9223372036854775807ns',
    '2562048h',
    '.5s',
    '1.s',
    '1 hour',
    '1hours',
    '-3 days',
    '1e3s',
    '106751 days',
    '1h1',
    '5min',
    '1 m 2 s',
  ],
  'k8s-short-name': ['a', 'a-b', 'a.b', 'A', '-a', 'x'.repeat(63), 'x'.repeat(64), '', '0', 'é'],
  'k8s-long-name': ['a', 'a.b', 'a..b', 'A', 'a.-b', 'x'.repeat(253), 'x'.repeat(254), '', `${'a.'.repeat(126)}a`],
};

/** Formats that some minor or type knows, and that none knows. */
export const FORMATS = [
  ...Object.keys(BY_FORMAT),
  'int32',
  'int64',
  'float',
  'double',
  'dateTime',
  'uuid-4',
  'k8sshortname',
  'quantity',
  'foo',
  'int-32',
  '',
];

/** RE2 patterns, valid and not. */
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

/** A number at an edge. */
export function edgeNumber(dice: Dice): Spelled {
  return new Spelled(dice.chance(0.15) ? String(dice.below(200) - 50) : dice.pick(NUMBERS));
}

/** A string of a format (when one is named), or one of no format at all; some are damaged by one code unit. */
export function edgeString(dice: Dice, format?: string): string {
  const known = format === undefined ? undefined : BY_FORMAT[format];
  const text =
    known && dice.chance(0.85) ? dice.pick(known) : dice.chance(0.8) ? dice.pick(STRINGS) : dice.pick(dice.pick(Object.values(BY_FORMAT)));
  return dice.chance(0.2) ? damaged(dice, text) : text;
}

/** A text with a character put in, taken out, doubled or replaced. */
export function damaged(dice: Dice, text: string): string {
  const characters = [...text];
  const at = dice.below(characters.length + 1);
  const other = dice.pick([...' -.:/0159aAzZ_é\u00e9\n\t+%[]@"\\', '👑', '\u0660', '\u017f', '\u212a']);
  const how = dice.below(4);
  characters.splice(at, how === 0 ? 0 : 1, ...(how === 1 ? [] : how === 2 ? [characters[at] ?? '', characters[at] ?? ''] : [other]));
  return characters.join('');
}

/** A value of any type. */
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

/** A name of a property that nobody declared. */
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
