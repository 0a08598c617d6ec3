import type { Family } from '../attack.ts';
import { posted } from '../send.ts';
import type { Expected } from '../send.ts';

const HEAD = '{"definitions":[]}\n';
type Body = readonly [name: string, text: () => string | Buffer, codes: readonly number[], expected?: Expected];

const BODIES: readonly Body[] = [
  ['nothing', () => '', [400]],
  ['30 MB of empty lines', () => Buffer.alloc(30_000_000, '\n'), [400]],
  ['objects in the first line', () => `{"definitions":[],"objects":[0${',0'.repeat(2_000_000)}]}\n`, [400]],
  ['a first line that is no envelope', () => '{"kind":"Widget"}\n', [400]],
  ['a first line of 40 MB', () => Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(40_000_000, 'x')]), [413]],
  ['a line of 40 MB', () => Buffer.concat([Buffer.from(HEAD), Buffer.alloc(40_000_000, 'x')]), [200, 413], { says: /"code":413/ }],
  ['100,000 lines that are no JSON', () => `${HEAD}${'{\n'.repeat(100_000)}`, [200]],
  ['100,000 zeros', () => `${HEAD}${'0\n'.repeat(100_000)}`, [200]],
  ['CRLF', () => `{"definitions":[]}\r\n{}\r\n`, [200]],
  ['NUL between lines', () => `${HEAD}\0\n\0\n`, [200]],
  ['no last line feed', () => `${HEAD}{}`, [200]],
  ['a record separator', () => `\x1e${HEAD}\x1e{}\n`, [200, 400]],
  ['two envelopes', () => `${HEAD}${HEAD}`, [200]],
  ['a byte order mark in the middle', () => `${HEAD}\ufeff{}\n`, [200]],
  ['deep lines', () => `${HEAD}${`${'['.repeat(50_000)}\n`.repeat(20)}`, [200]],
  ['invalid UTF-8', () => Buffer.from(`${HEAD}{"a":"\xff"}\n`, 'latin1'), [200]],
  ['an unknown option', () => '{"options":{"junk":1}}\n{}\n', [400]],
  ['a deadline of a millisecond', () => `{"definitions":[],"options":{"deadline":"1ms"}}\n${'{}\n'.repeat(5000)}`, [200, 408]],
  ['3 million definitions', () => `{"definitions":[0${',0'.repeat(3_000_000)}]}\n`, [413]],
];

/** NDJSON bodies. Over an answer that has begun, a refusal is its last line. */
export const bodiesNdjson: Family = {
  name: 'bodies-ndjson',
  shapes: ['embedded', 'keyed', 'fleet'],
  attacks: (random) => [
    ...BODIES.map(([name, text, codes, expected]) => posted(name, '/evaluate', ['ndjson', text], codes, expected)),
    posted('a stream in the background', '/evaluate?wait=0', ['ndjson', `${HEAD}{}\n`], [200, 400]),
    ...random.some(15, (i) => {
      const line = (): string => random.of(['{}', '', 'null', '{"a":1', '[[[', '"\\ud800"', '\u0001', '{"kind":"A","apiVersion":"b/v1"}']);
      const text = random.some(1 + random.below(40), line).join(random.of(['\n', '\r\n', '\n\n', '\r']));
      return posted(`random lines ${i + 1}`, '/evaluate', ['ndjson', random.below(3) > 0 ? HEAD + text : text], [200, 400]);
    }),
    ...(['definitions', 'explain', 'matrix', 'what-if'] as const).map((path) =>
      posted(`lines for ${path}`, `/${path}`, ['ndjson', `${HEAD}{}\n`], [400, 415]),
    ),
  ],
};
