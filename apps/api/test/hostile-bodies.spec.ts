import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';
import { sampled, thorough } from '../../../testing/thorough.ts';

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi({ ASSAY_MAX_ANSWER_BYTES: '100000', ASSAY_MAX_BODY_BYTES: String(70 * 1024 * 1024) }));
});
afterAll(() => app.close());

function post(path: string, body: Uint8Array | string, type = 'application/json') {
  return fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': type }, body: Buffer.from(body) });
}

/** Returns `before`, then `filling` repeated to a length of `bytes` bytes, then `after`. */
const filled = (before: string, filling: string, bytes: number, after = ''): Buffer =>
  Buffer.concat([Buffer.from(before), Buffer.alloc(bytes, filling), Buffer.from(after)]);

const objects = (filling: string, bytes: number): Buffer => filled('{"definitions":[],"objects":[0', filling, bytes, ']}');
const tooMany = (what: string): RegExp => new RegExp(`at most [\\d]+ ${what}`);

/**
 * Request bodies with so many or such long parts that parsing them without limits would take too much time and memory. Each must be refused
 * with the given code and message.
 */
const BODIES: readonly (readonly [what: string, path: string, type: string, body: () => Buffer, code: number, message: RegExp])[] = [
  ['a million zeros', '/evaluate', 'application/json', () => objects(',0', 2_000_000), 413, tooMany('objects')],
  ['20 million empty objects', '/evaluate', 'application/json', () => objects(',{}', 60_000_000), 413, tooMany('objects')],
  ['33 million zeros', '/evaluate', 'application/json', () => objects(',0', 66_000_000), 413, tooMany('objects')],
  ['4 million zeros in the background', '/evaluate?wait=0', 'application/json', () => objects(',0', 8_000_000), 413, tooMany('objects')],
  [
    '3 million definitions',
    '/evaluate',
    'application/json',
    () => filled('{"definitions":[0', ',0', 6_000_000, ']}'),
    413,
    tooMany('definitions'),
  ],
  [
    '3 million unknown members',
    '/evaluate',
    'application/json',
    () => filled('{"k0":0', ',"k1":1', 21_000_000, '}'),
    400,
    /unknown field "k0"/,
  ],
  ['a long key', '/evaluate', 'application/json', () => filled('{"', 'k', 20_000_000, '":1}'), 400, /name is longer than/],
  [
    'long options',
    '/evaluate',
    'application/json',
    () => filled('{"options":{"a":"', 'x', 20_000_000, '"}}'),
    400,
    /options are longer than/,
  ],
  ['blanks', '/evaluate', 'application/json', () => filled('{', ' ', 20_000_000, '}'), 400, /the batch is empty/],
  ['many objects for a matrix', '/matrix', 'application/json', () => objects(',0', 6_000_000), 413, /at most 1000 objects for a matrix/],
  [
    'many objects to explain',
    '/explain',
    'application/json',
    () => objects(',0', 6_000_000),
    413,
    /at most 1000 objects for an explanation/,
  ],
  ['empty lines', '/evaluate', 'application/x-ndjson', () => Buffer.alloc(30_000_000, '\n'), 400, /the body is empty/],
  ['objects in the first line', '/evaluate', 'application/x-ndjson', () => objects(',0', 5_000_000), 400, /has no objects/],
  ['a long line', '/evaluate', 'application/x-ndjson', () => filled('{"definitions":[]}\n', 'x', 40_000_000), 413, /line 2 is longer than/],
  ['separators', '/evaluate', 'application/yaml', () => Buffer.alloc(20_000_000, '---\n'), 400, /the batch is empty/],
  ['documents', '/evaluate', 'application/yaml', () => Buffer.alloc(20_000_000, '---\na\n'), 413, tooMany('objects')],
  [
    'elements of a list',
    '/evaluate',
    'application/yaml',
    () => filled('{"kind":"List","items":[0', ',0', 20_000_000, ']}'),
    413,
    tooMany('objects'),
  ],
];

describe('a hostile body', () => {
  it.each(sampled(BODIES, 5))(
    'gets a response, and other requests get theirs meanwhile: %s',
    async (_, path, type, body, code, message) => {
      const ends: string[] = [];
      const answer = post(path, body(), type).then(async (response) => {
        const text = await response.text();
        ends.push('hostile');
        return { code: response.status, text };
      });
      for (let alive = 0; !ends.includes('hostile') && alive < 3; alive++) {
        expect((await fetch(`${url}/livez`)).status).toBe(200);
        ends.push('other');
      }
      const { code: found, text } = await answer;
      expect(JSON.parse(text)).toMatchObject({ kind: 'Status', code, message: expect.stringMatching(message) as string });
      expect(found).toBe(code);
      expect(ends).toContain('other');
    },
  );

  it.each([
    ['digits', `a: ${'9'.repeat(12_000_000)}`],
    ['repeated keys', 'a: 1\n'.repeat(2_000_000)],
  ])('in YAML is not parsed if it is larger than an object may be: %s', async (_, text) => {
    const response = await post('/evaluate', text, 'application/yaml');
    expect(await response.json()).toMatchObject({ items: [{ outcome: 'rejected', status: { code: 413 } }] });
  });

  it('with a number of very many digits is parsed if it is not larger than an object may be', async () => {
    const response = await post('/evaluate', `a: ${'9'.repeat(3_000_000)}`, 'application/yaml');
    expect(await response.json()).toMatchObject({ items: [{ outcome: 'notEvaluated', status: { code: 400 } }] });
  });
});

describe('a byte order mark before a body', () => {
  const MARK = '\ufeff';
  const good = widget('good', [1]);
  const bad = widget('bad', [0]);
  const judged = { summary: { items: 2, accepted: 1, rejected: 1 } };
  it.each([
    ['JSON', 'application/json', JSON.stringify({ definitions: [widgets], objects: [good, bad] })],
    ['YAML that begins with an object in JSON', 'application/yaml', [bad, good, widgets].map((one) => JSON.stringify(one)).join('\n---\n')],
    [
      'YAML that begins with a definition in JSON',
      'application/yaml',
      [widgets, bad, good].map((one) => JSON.stringify(one)).join('\n---\n'),
    ],
  ])('is skipped: %s', async (_, type, text) => {
    expect(await (await post('/evaluate', MARK + text, type)).json()).toMatchObject(judged);
  });

  it('is skipped in NDJSON', async () => {
    const lines = [{ definitions: [widgets] }, good, bad].map((line) => `${JSON.stringify(line)}\n`).join('');
    const text = await (await post('/evaluate', MARK + lines, 'application/x-ndjson')).text();
    expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toMatchObject(judged);
  });
});

describe('text with invalid UTF-8', () => {
  it("is rejected in YAML with the parser's message, and replaced by U+FFFD in JSON", async () => {
    const broken = (text: string): Buffer => Buffer.from(text.replace('BROKEN', '\xff\xfe'), 'latin1');
    const object = { ...widget('a', [1]), metadata: { name: 'a', namespace: 'default', annotations: { a: 'BROKEN' } } };
    const yaml = await post(
      '/evaluate',
      broken(`apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: "BROKEN"\n`),
      'application/yaml',
    );
    expect(await yaml.json()).toMatchObject({
      items: [
        { outcome: 'rejected', status: { code: 400, message: expect.stringContaining('yaml: invalid leading UTF-8 octet') as string } },
      ],
    });
    const json = await post('/evaluate?returnObjects=true', broken(JSON.stringify({ definitions: [widgets], objects: [object] })));
    expect(await json.json()).toMatchObject({
      items: [{ outcome: 'accepted', object: { metadata: { annotations: { a: '\ufffd\ufffd' } } } }],
    });
  });
});

describe('a pattern of a million instructions', () => {
  const pattern = `^${'[a-z]{0,1000}'.repeat(500)}$`;
  const schema = {
    type: 'object',
    properties: {
      fixed: { type: 'string', pattern },
      own: {
        type: 'string',
        maxLength: 10_000,
        'x-kubernetes-validations': [{ rule: "self == '' || '\u00e9'.matches(self) || 'abc'.matches(self)" }],
      },
    },
  };
  const definition = customDefinition({ kind: 'Pattern', schema });
  const object = (name: string, rest: object) => ({
    apiVersion: 'example.com/v1',
    kind: 'Pattern',
    metadata: { name, namespace: 'default' },
    ...rest,
  });

  it('matches as on a server, in the schema and in an object', async () => {
    const sent = [
      object('a', { fixed: 'abc' }),
      object('b', { fixed: 'aBc' }),
      object('c', { own: pattern }),
      object('d', { own: `${pattern}d` }),
    ];
    const response = await post('/evaluate', JSON.stringify({ definitions: [definition], objects: sent }));
    const answer = (await response.json()) as { items: { outcome: string; status?: { code: number } }[] };
    expect(answer.items.map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected', 'accepted', 'rejected']);
    expect(answer.items[1]?.status?.code).toBe(422);
  });
});

describe('a very long response', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => widget(`w${i}`, [i + 1]));

  it('as one JSON document ends early, and states the reason', async () => {
    const response = await post('/evaluate', JSON.stringify({ definitions: [widgets], objects: many(5000) }));
    const answer = (await response.json()) as { items: unknown[]; summary: { items: number } };
    expect(answer).toMatchObject({ status: { code: 413, message: expect.stringContaining('longer than 100000 bytes') as string } });
    expect(answer.items.length).toBeGreaterThan(0);
    expect(answer.items.length).toBeLessThan(5000);
    expect(answer.summary.items).toBe(answer.items.length);
  });

  it('in lines has no limit of length', async () => {
    const lines = [{ definitions: [widgets] }, ...many(5000)].map((line) => `${JSON.stringify(line)}\n`).join('');
    const text = await (await post('/evaluate', lines, 'application/x-ndjson')).text();
    expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toMatchObject({ summary: { items: 5000 } });
  });
});

describe('a stream of lines', () => {
  const strange = 999;
  /** Number of objects in a list. Each has a verdict, which takes time, so the long list is for thorough test runs. */
  const listed = thorough ? 100_000 : 10_000;
  it.each<readonly [what: string, lines: string, query: string, verdicts: number | undefined, last: object]>([
    ['a million numbers', '1\n'.repeat(1_000_000), '', strange, { code: 400 }],
    ['a million texts', ' "a"\r\n'.repeat(1_000_000), '', strange, { code: 400 }],
    ['a long list over many lines', `[\n${'  {\n  },\n'.repeat(listed)}]\n`, '', undefined, { summary: {} }],
    ['a million empty lists', '[]\n'.repeat(1_000_000), '', strange, { code: 400 }],
    ['a million empty objects', '{}\n'.repeat(1_000_000), '?deadline=1s', undefined, { code: 408 }],
    ['numbers after objects', '{}\n'.repeat(700) + '1\n'.repeat(100_000), '', 700 + strange, { code: 400 }],
    ['numbers between objects', `{}\n${'1\n'.repeat(strange)}`.repeat(4), '', 4 * (strange + 1), { summary: { items: 4 * (strange + 1) } }],
  ])(
    'of %s ends in time, and reports how many items have a verdict',
    async (_, lines, query, expected, last) => {
      const began = performance.now();
      const text = await (await post(`/evaluate${query}`, `{"definitions":[]}\n${lines}`, 'application/x-ndjson')).text();
      const answered = text.trim().split('\n');
      const end = answered.pop() ?? '';
      expect(JSON.parse(end)).toMatchObject(last);
      expect(answered.filter((line, i) => !line.startsWith(`{"index":${i},`))).toEqual([]);
      if (expected !== undefined) expect(answered).toHaveLength(expected);
      if (end.includes('"code"')) expect(end).toContain(`the items from index ${answered.length} on have no verdict`);
      if (query !== '') expect(performance.now() - began).toBeLessThan(4000);
    },
    60_000,
  );
});
