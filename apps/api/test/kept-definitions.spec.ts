import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentDigest } from '#documents';
import { redisInstalled, startRedis } from '../../../libs/jobs/test/private-redis.ts';
import { keysFile, sha256 } from './keys-file.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

const JSON_TYPE = { 'content-type': 'application/json' } as const;
const text = JSON.stringify(widgets);
const digest = sentDigest(Buffer.from(text));
const UNKNOWN = `sha256:${'0'.repeat(64)}`;

interface Answer {
  readonly items: readonly { readonly outcome: string }[];
  readonly summary: { readonly items: number; readonly accepted: number };
  readonly message: string;
  readonly details: { readonly causes: readonly object[] };
}

/** Uploads a definition under a digest, by default under its own digest. */
const put = (
  url: string,
  body: string,
  under = sentDigest(Buffer.from(body)),
  headers: Record<string, string> = JSON_TYPE,
): Promise<Response> => fetch(`${url}/definitions/${under}`, { method: 'PUT', headers, body });
const evaluate = async (
  url: string,
  body: object,
  headers: Record<string, string> = JSON_TYPE,
): Promise<{ status: number; answer: Answer }> => {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, answer: (await response.json()) as Answer };
};
/** Returns the parts of an answer that are equal in all answers to the same request. */
const reported = ({ items, definitions }: Answer & { readonly definitions?: unknown }): object => ({ items, definitions });

describe('a definition that a client stores once', () => {
  let app: NestFastifyApplication;
  let url: string;
  beforeAll(async () => {
    ({ app, url } = await startApi({ ASSAY_FLOW_DEFINITION_BYTES: '40000', ASSAY_MAX_DEFINITIONS: '3' }));
    expect((await put(url, text)).status).toBe(201);
  });
  afterAll(() => app.close());

  it('can be referenced by its digest, with the same verdicts', async () => {
    const objects = [widget('one', [1]), widget('two', [-1])];
    const sent = await evaluate(`${url}/evaluate`, { definitions: [widgets], objects });
    const named = await evaluate(`${url}/evaluate`, { definitionRefs: [digest], objects });
    expect(named.answer.items.map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected']);
    expect(reported(named.answer)).toEqual(reported(sent.answer));
  });

  it('is returned in its original form', async () => {
    const found = await fetch(`${url}/definitions/${digest}`);
    expect([found.status, found.headers.get('content-type'), found.headers.get('etag')]).toEqual([200, 'application/json', `"${digest}"`]);
    expect(await found.text()).toBe(text);
    const head = await fetch(`${url}/definitions/${digest}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(text.length), '']);
    expect((await fetch(`${url}/definitions/${UNKNOWN}`, { method: 'HEAD' })).status).toBe(404);
  });

  it('is stored for longer if a client sends it again', async () => {
    const again = await put(url, text);
    expect([again.status, await again.json()]).toEqual([200, { digest, bytes: text.length, keptSeconds: 3600 }]);
  });

  it('may be YAML', async () => {
    const yaml = `# a comment\n---\n${text}\n`;
    const type = { 'content-type': 'application/yaml' };
    expect((await put(url, yaml, sentDigest(Buffer.from(yaml)), type)).status).toBe(201);
    const { answer } = await evaluate(`${url}/evaluate`, {
      definitionRefs: [sentDigest(Buffer.from(yaml))],
      objects: [widget('one', [1])],
    });
    expect(answer.summary.accepted).toBe(1);
    const two = `${yaml}---\n${text}\n`;
    const refused = await put(url, two, sentDigest(Buffer.from(two)), type);
    expect([refused.status, ((await refused.json()) as Answer).message]).toEqual([400, 'the body must hold one CustomResourceDefinition']);
  });

  it('can also be referenced in streams, matrices and explanations', async () => {
    const lines = `${JSON.stringify({ definitionRefs: [digest] })}\n${JSON.stringify(widget('one', [1]))}\n`;
    const stream = await fetch(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: lines });
    expect(await stream.text()).toContain('"accepted":1,');
    for (const path of ['matrix?minors=1.37', 'explain'])
      expect((await evaluate(`${url}/${path}`, { definitionRefs: [digest], objects: [widget('one', [1])] })).status, path).toBe(200);
  });

  it('can also be referenced in a what-if request, as the stored definition or as both definitions', async () => {
    const stricter = JSON.stringify(widgets).replace('s > 0', 's > 5');
    expect(stricter).not.toBe(text);
    expect((await put(url, stricter)).status).toBe(201);
    const lineOf = async (head: object): Promise<unknown> => {
      const body = `${JSON.stringify(head)}\n${JSON.stringify(widget('one', [1]))}\n`;
      const response = await fetch(`${url}/what-if?all=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body,
      });
      const [first = ''] = (await response.text()).split('\n');
      return { code: response.status, ...(JSON.parse(first) as object) };
    };
    const sent = await lineOf({ definitions: [widgets, JSON.parse(stricter)] });
    expect(sent).toMatchObject({ code: 200, effect: expect.not.stringMatching('unaffected') as string });
    expect(await lineOf({ definitionRefs: [digest], definitions: [JSON.parse(stricter)] })).toEqual(sent);
    expect(await lineOf({ definitionRefs: [digest, sentDigest(Buffer.from(stricter))] })).toEqual(sent);
    expect(await lineOf({ definitionRefs: [UNKNOWN], definitions: [widgets] })).toMatchObject({ code: 422 });
  });

  it('is named in the error if it is unknown, with all other unknown ones, so that a client can send them and retry', async () => {
    const other = `sha256:${'1'.repeat(64)}`;
    const { status, answer } = await evaluate(`${url}/evaluate`, { definitionRefs: [UNKNOWN, digest, other], objects: [] });
    expect(status).toBe(422);
    expect(answer.details.causes).toEqual([
      { reason: 'FieldValueNotFound', message: `Not found: "${UNKNOWN}"`, field: 'definitionRefs[0]' },
      { reason: 'FieldValueNotFound', message: `Not found: "${other}"`, field: 'definitionRefs[2]' },
    ]);
  });

  it.each([
    ['no digest', 'sha256:12', text, 400, /^the digest must be "sha256:"/],
    ["another text's digest", UNKNOWN, text, 400, /^the digest of the body is sha256:[0-9a-f]+, not sha256:0+$/],
    ['what is no JSON object', undefined, '[1]', 400, /the definition is malformed: the body must be a JSON object \(byte 0\)/],
    ['what is larger than a server takes', undefined, `{"a":"${'x'.repeat(3 * 1024 * 1024)}"}`, 413, /limit is 3145728/],
  ])('is not stored: %s', async (_, under, body, code, message) => {
    const refused = await put(url, body, under);
    expect([refused.status, ((await refused.json()) as Answer).message]).toEqual([code, expect.stringMatching(message)]);
  });

  it.each([
    [{ definitionRefs: ['sha256:12'] }, 400, /^definitionRefs\[0\]: must be "sha256:" and 64/],
    [{ definitionRefs: [7] }, 400, /^definitionRefs\[0\]/],
    [{ definitionRefs: {} }, 400, /definitionRefs: a JSON list is expected/],
    [{ definitionRefs: [digest, digest, digest, digest] }, 413, /at most 3 definitions/],
    [{ definitionRefs: [digest, digest], definitions: [widgets, widgets] }, 413, /at most 3 definitions/],
  ])('cannot be referenced with an invalid or too long list: %j', async (body, code, message) => {
    const { status, answer } = await evaluate(`${url}/evaluate`, { ...body, objects: [] });
    expect([status, answer.message]).toEqual([code, expect.stringMatching(message)]);
  });

  it('gets a 429 if its flow already stores too many definitions', async () => {
    const codes: number[] = [];
    for (let i = 0; i < 12; i++) codes.push((await put(url, JSON.stringify({ ...widgets, i }))).status);
    expect(codes[0]).toBe(201);
    expect(codes.at(-1)).toBe(429);
  });
});

it('stored definitions are usable only by their client', async () => {
  const keys = [
    { name: 'one', sha256: sha256('token-one') },
    { name: 'two', sha256: sha256('token-two') },
    { name: 'scraper', sha256: sha256('token-scraper'), roles: ['scrape'] },
  ];
  const { app, url } = await startApi({ ASSAY_KEYS_FILE: keysFile(keys) });
  const as = (token: string): Record<string, string> => ({ ...JSON_TYPE, authorization: `Bearer ${token}` });
  const body = { definitionRefs: [digest], objects: [widget('one', [1])] };
  try {
    expect((await put(url, text, digest)).status).toBe(401);
    expect((await put(url, text, digest, as('token-scraper'))).status).toBe(403);
    expect((await put(url, text, digest, as('token-one'))).status).toBe(201);
    expect((await evaluate(`${url}/evaluate`, body, as('token-one'))).status).toBe(200);
    expect((await evaluate(`${url}/evaluate`, body, as('token-two'))).status).toBe(422);
    expect((await fetch(`${url}/definitions/${digest}`, { headers: as('token-two') })).status).toBe(404);
    expect((await put(url, text, digest, as('token-two'))).status).toBe(201);
  } finally {
    await app.close();
  }
});

it.skipIf(!redisInstalled)('a stored definition is found by every process with the same Redis', async () => {
  const redis = await startRedis();
  const [one, other] = [await startApi({ ASSAY_REDIS_URL: redis.url }), await startApi({ ASSAY_REDIS_URL: redis.url })];
  try {
    expect((await put(one.url, text)).status).toBe(201);
    expect(await (await fetch(`${other.url}/definitions/${digest}`)).text()).toBe(text);
    expect((await evaluate(`${other.url}/matrix?minors=1.37`, { definitionRefs: [digest], objects: [widget('one', [1])] })).status).toBe(
      200,
    );
    expect((await put(other.url, text)).status).toBe(200);
  } finally {
    await Promise.all([one.app.close(), other.app.close()]);
    redis.stop();
  }
});
