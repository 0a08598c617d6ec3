import type { Family } from '../attack.ts';
import type { Random } from '../random.ts';
import { tablesOf, written } from '../input-tables.ts';
import { requestAttack, headed, posted } from '../send.ts';

const TABLES = tablesOf('bodies-json');

/** Returns a function that creates a text: `before`, then repetitions of `filling` up to `length` bytes, then `after`. */
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

/** Returns a random JSON document that may be malformed. `depth` is the current nesting depth. */
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

/** Attacks with JSON bodies: large, broken, deeply nested and random ones. */
export const bodiesJson: Family = {
  name: 'bodies-json',
  shapes: ['embedded', 'keyed', 'fleet'],
  attacks: (random) => [
    ...LARGE,
    ...TABLES.texts('small').map((text) => posted(`body ${JSON.stringify(text).slice(0, 60)}`, '/evaluate', ['json', text], [200, 400])),
    ...TABLES.rows('objects').map(({ name, text }) =>
      posted(`an object of ${name}`, '/evaluate', ['json', () => `{"objects":[${written(text)}]}`], [200, 400], {
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
    requestAttack('type none', { method: 'POST', path: '/evaluate', body: '{}' }, [400, 415]),
    ...['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'identity, gzip'].map((coding) =>
      headed(`${coding} bomb`, { 'content-encoding': coding }, [415], Buffer.alloc(20_000, 0x1f)),
    ),
    headed('UTF-16', { 'content-type': 'application/json; charset=utf-16' }, [400, 415], Buffer.from('{"objects":[{}]}', 'utf16le')),
  ],
};
