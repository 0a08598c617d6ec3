import type { Family } from '../attack.ts';
import { postedRows, tablesOf } from '../input-tables.ts';
import { posted } from '../send.ts';

const HEAD = '{"definitions":[]}\n';
/** Attacks with NDJSON bodies. If an answer has already begun, its last line contains the refusal. */
export const bodiesNdjson: Family = {
  name: 'bodies-ndjson',
  shapes: ['embedded', 'keyed', 'fleet'],
  attacks: (random) => [
    ...postedRows(tablesOf('bodies-ndjson').rows('bodies'), 'ndjson', [200]),
    posted('invalid UTF-8', '/evaluate', ['ndjson', () => Buffer.from(`${HEAD}{"a":"\xff"}\n`, 'latin1')], [200]),
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
