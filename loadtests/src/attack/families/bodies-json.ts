import type { Family } from '../attack.ts';
import type { Random } from '../random.ts';
import { asked, headed, posted } from '../send.ts';

/** A text before and after as many repetitions of a filling as make so many bytes. */
const filled =
  (before: string, filling: string, length: number, after = '') =>
  (): Buffer =>
    Buffer.concat([Buffer.from(before), Buffer.alloc(length, filling), Buffer.from(after)]);
const objects = (filling: string, length: number): (() => Buffer) => filled('{"definitions":[],"objects":[0', filling, length, ']}');

const LONG = { isLong: true } as const;

const LARGE = [
  posted('33 million zeros', '/evaluate', ['json', objects(',0', 66_000_000)], [413], { ...LONG, says: /at most \d+ objects/ }),
  posted('20 million empty objects', '/evaluate', ['json', objects(',{}', 60_000_000)], [413], LONG),
  posted('a million zeros', '/evaluate', ['json', objects(',0', 2_000_000)], [413]),
  posted('a million zeros in the background', '/evaluate?wait=0', ['json', objects(',0', 2_000_000)], [413]),
  posted('4 million zeros in the background', '/evaluate?wait=0', ['json', objects(',0', 8_000_000)], [413]),
  posted('3 million definitions', '/evaluate', ['json', filled('{"definitions":[0', ',0', 6_000_000, ']}')], [413]),
  posted('3 million unknown members', '/evaluate', ['json', filled('{"k0":0', ',"k1":1', 21_000_000, '}')], [400], {
    says: /unknown field/,
  }),
  posted('a long key', '/evaluate', ['json', filled('{"', 'k', 20_000_000, '":1}')], [400]),
  posted('long options', '/evaluate', ['json', filled('{"options":{"a":"', 'x', 20_000_000, '"}}')], [400]),
  posted('20 MB of blanks', '/evaluate', ['json', filled('{', ' ', 20_000_000, '}')], [400]),
  posted('64 MB of blanks', '/evaluate', ['json', filled(' ', ' ', 64_000_000)], [400], LONG),
  posted('20 MB of brackets', '/evaluate', ['json', filled('', '[', 20_000_000)], [400]),
  posted('20 MB of brackets in an object', '/evaluate', ['json', filled('{"objects":[', '[', 20_000_000)], [200, 400, 413]),
  posted('65 MB', '/evaluate', ['json', filled('{', ' ', 68_200_000)], [413], LONG),
  posted('an object of 20 MB', '/evaluate', ['json', filled('{"objects":[{"a":"', 'x', 20_000_000, '"}]}')], [200]),
  posted('a string without an end', '/evaluate', ['json', filled('{"objects":["', 'x', 10_000_000)], [400]),
  posted('100,000 objects that are none', '/evaluate', ['json', objects(',0', 199_998)], [200]),
  ...(['matrix', 'explain'] as const).map((path) =>
    posted(`many objects: ${path}`, `/${path}`, ['json', objects(',0', 6_000_000)], [400, 413]),
  ),
];

/** Texts that are no batch. */
const SMALL: readonly string[] = [
  '',
  'null',
  '[]',
  '0',
  '"a"',
  'true',
  '{',
  '}',
  '{}',
  '{"objects":{}}',
  '{"objects":null}',
  '{"definitions":0}',
  '{"definitions":[],"definitions":[]}',
  '{"__proto__":{"polluted":1},"objects":[{}]}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"options":{"__proto__":{"polluted":1}},"objects":[{}]}',
  '{"options":{"kubernetesVersion":"0.0"},"objects":[{}]}',
  '{"options":[],"objects":[{}]}',
  '{"options":{"deadline":"-1s"},"objects":[{}]}',
  '{"options":{"costLimits":{"perCall":1e999}},"objects":[{}]}',
  '{"objects":[{}],}',
  "{'objects':[{}]}",
  '{"objects":[{}]} {}',
  '{"objects":[{}]}\0',
  '{"objects":[NaN]}',
  '{"obj\\u0065cts":[{"a":1}]}',
  '\ufeff\ufeff{"objects":[{}]}',
  '{"objects":["\\ud800"]}',
];

/** Objects inside a right envelope that are hostile themselves. */
const OBJECTS: readonly (readonly [name: string, text: () => string])[] = [
  ['10,000 levels', () => '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
  ['100,000 levels', () => '['.repeat(100_000) + ']'.repeat(100_000)],
  ['100,000 keys', () => `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
  ['100,000 times the same key', () => `{${Array.from({ length: 100_000 }, () => '"k":1').join(',')}}`],
  ['a number of a million digits', () => `{"a":${'9'.repeat(1_000_000)}}`],
  ['an exponent of a million digits', () => `{"a":1e${'9'.repeat(1_000_000)}}`],
  ['900,000 empty objects', () => `{"a":[${'{},'.repeat(900_000)}{}]}`],
  ['2 MB of escapes', () => `{"a":"${'\\u0000'.repeat(333_333)}"}`],
  ['prototypes as keys', () => '{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":1}'],
  ['a kind that is an object', () => '{"apiVersion":{},"kind":[],"metadata":1}'],
  ['a name of 1 MB', () => `{"apiVersion":"a/v1","kind":"A","metadata":{"name":"${'n'.repeat(1_000_000)}"}}`],
];

/** A random document of some size, which may break in the middle. */
function randomJson(random: Random, depth = 0): string {
  if (depth > 6) return random.of(['1', '"a"', 'null', '-0', '1e400', '"\\ud800"', '{', 'tru']);
  const inner = (): string => randomJson(random, depth + 1);
  const key = (): string => random.of(['"objects"', '"definitions"', '"options"', '"spec"', '"__proto__"', '"kind"', '""', '"a\\u0000"']);
  const many = <T>(make: () => T): T[] => random.some(random.below(5), make);
  return random.of([
    () => `{${many(() => `${key()}:${inner()}`).join(',')}}`,
    () => `[${many(inner).join(random.of([',', ',', ',', ';']))}]`,
    () => random.of(['0', '9007199254740993', '-1e-999', '"x"', 'true', 'null', '"\u0001"']),
    inner,
  ])();
}

/** JSON bodies, large, broken, deep and random. */
export const bodiesJson: Family = {
  name: 'bodies-json',
  shapes: ['embedded', 'keyed', 'fleet'],
  attacks: (random) => [
    ...LARGE,
    ...SMALL.map((text) => posted(`body ${JSON.stringify(text).slice(0, 60)}`, '/evaluate', ['json', text], [200, 400])),
    ...OBJECTS.map(([name, text]) =>
      posted(`an object of ${name}`, '/evaluate', ['json', () => `{"objects":[${text()}]}`], [200, 400], {
        says: /"outcome":"(?:rejected|notEvaluated)"|exceeded max depth/,
      }),
    ),
    ...random.some(40, (i) =>
      posted(
        `random JSON ${i + 1}`,
        random.of(['/evaluate', '/explain', '/matrix', '/definitions']),
        ['json', randomJson(random)],
        [200, 400, 413],
      ),
    ),
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a', 'application/json, text/plain'].map((type) =>
      headed(`type ${type}`, { 'content-type': type }, [400, 415], '{}'),
    ),
    asked('type none', { method: 'POST', path: '/evaluate', body: '{}' }, [400, 415]),
    ...['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'identity, gzip'].map((coding) =>
      headed(`${coding} bomb`, { 'content-encoding': coding }, [415], Buffer.alloc(20_000, 0x1f)),
    ),
    headed('UTF-16', { 'content-type': 'application/json; charset=utf-16' }, [400, 415], Buffer.from('{"objects":[{}]}', 'utf16le')),
  ],
};
