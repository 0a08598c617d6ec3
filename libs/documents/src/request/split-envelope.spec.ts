import { describe, expect, it } from 'vitest';
import { STEP_BYTES } from '../scan/run-in-steps.ts';
import { envelopeSteps, splitEnvelope } from './split-envelope.ts';

const LIMITS = { definitions: 500, objects: 1000 };
const cut = (text: string, limits = LIMITS) => splitEnvelope(Buffer.from(text), limits);

/** Returns the result of cutting a body, and the number of steps that the cutting took. */
function steps(body: Uint8Array, limits = LIMITS) {
  const work = envelopeSteps(body, limits);
  for (let count = 1; ; count++) {
    const { done, value } = work.next();
    if (done) return { count, result: value };
  }
}

/** Returns the maximum number of steps for a body of `bytes` bytes. Each step except the last scans at least {@link STEP_BYTES}. */
const stepsOf = (bytes: number): number => Math.ceil(bytes / STEP_BYTES) + 1;

describe('splitEnvelope', () => {
  it('returns definitions and objects with their original text', async () => {
    const result = await cut('{"definitions":[{"a":"]}\\""}],\n "objects":[ {"n":1.0}, [1,2] ,"x"],"options":{"explain":true}}');
    if (!result.ok) throw new Error(result.status.message);
    expect(result.value.definitions.map((d) => Buffer.from(d.bytes).toString())).toEqual(['{"a":"]}\\""}']);
    expect(result.value.objects.map((o) => Buffer.from(o.bytes).toString())).toEqual(['{"n":1.0}', '[1,2]', '"x"']);
    expect(result.value.options).toMatchObject({ explain: true, kubernetesVersion: '1.37', fieldValidation: 'Warn' });
  });

  it('skips a byte order mark before the body', async () => {
    expect(await cut('\ufeff{"objects":[1]}')).toMatchObject({ ok: true, value: { objects: [{ notation: 'json' }] } });
  });

  it.each([
    ['', /unexpected end of JSON input/],
    ['[]', /must be a JSON object/],
    ['{"objects":[1', /unexpected end of JSON input/],
    ['{"objects":[1 2]}', /comma or closing bracket is missing/],
    ['{"objects":[1,]}', /a value is missing/],
    ['{"objects":[],}', /quoted key is expected/],
    ['{"objects" []}', /colon is missing/],
    ['{"objects":{}}', /a JSON list is expected/],
    ['{"objects":[{]}]}', /closed by one of another kind/],
    ['{"objects":[]} x', /more after the JSON value/],
    ['{"objekts":[]}', /unknown field "objekts"/],
    [`{"${'o'.repeat(200)}":[]}`, /name is longer than 128 bytes/],
    ['{"objects":[],"objects":[]}', /duplicate field "objects"/],
    ['{"options":{"kubernetesVersion":"1.29"}}', /options\.kubernetesVersion/],
    ['{"options":{"explian":true}}', /explian/],
    [`{"options":{"deadline":"${'9'.repeat(70_000)}s"}}`, /options are longer than 65536 bytes/],
    [`{"objects":[${'['.repeat(10_001)}`, /exceeded max depth/],
  ])('rejects %j with a 400 that names the reason', async (text, message) => {
    const result = await cut(text);
    expect(result.ok ? undefined : result.status).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: expect.stringMatching(message) as string,
    });
  });

  it.each([
    ['objects', 1000],
    ['definitions', 500],
  ])('accepts as many %s as the limit allows, and rejects a body with one more', async (what, most) => {
    const listOf = (count: number): string => `{"${what}":[${Array(count).fill('0').join(',')}]}`;
    expect(await cut(listOf(most))).toMatchObject({ ok: true });
    expect(await cut(listOf(most + 1))).toMatchObject({
      ok: false,
      status: { code: 413, message: `Request entity too large: at most ${most} ${what} a request` },
    });
  });
});

describe('the steps in which splitEnvelope reads a body', () => {
  it('are a single step for a small body', () => {
    expect(steps(Buffer.from('{"objects":[{"a":1}]}'))).toMatchObject({ count: 1, result: { ok: true } });
  });

  it('are several for a large body, whatever it contains', () => {
    const bytes = 8 * STEP_BYTES;
    for (const filling of [
      `{"objects":["${'x'.repeat(bytes)}"]}`,
      `{"objects":["${'\\"'.repeat(bytes / 2)}"]}`,
      `{"objects":["${'\\\\'.repeat(bytes / 2)}"]}`,
      `{"objects":[${'9'.repeat(bytes)}]}`,
      `{"objects":[${'[1,{}],'.repeat(bytes / 7)}0]}`,
      `{"objects":[[${'[1,{}],'.repeat(bytes / 7)}0]]}`,
      `{"objects":[${' '.repeat(bytes)}0]}`,
      `{${' '.repeat(bytes)}"objects"${' '.repeat(bytes)}:${' '.repeat(bytes)}[]${' '.repeat(bytes)}}`,
    ]) {
      const { count, result } = steps(Buffer.from(filling), { definitions: 1, objects: bytes });
      expect(result).toMatchObject({ ok: true });
      expect(count).toBeGreaterThanOrEqual(8);
    }
  });

  it('give the same slices, wherever each step ends', () => {
    const item = '{"a":"b\\\\\\"c","n":[1.5, -2e3 ,true],"s":"é]}"}';
    for (let shift = 0; shift < item.length; shift++) {
      const body = `{"objects":["${'x'.repeat(STEP_BYTES - item.length - 20 + shift)}",${item},"y"],"options":{}}`;
      const { result } = steps(Buffer.from(body));
      if (!result.ok) throw new Error(result.status.message);
      expect(result.value.objects.slice(1).map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([item, '"y"']);
    }
  });

  it.each<readonly [what: string, begin: string, filling: string, code: number]>([
    ['objects', '{"objects":[0', ',0', 413],
    ['empty objects', '{"objects":[{}', ',{}', 413],
    ['definitions', '{"definitions":[0', ',0', 413],
    ['unknown members', '{"k0":0', ',"k1":0', 400],
  ])('end at the first of too many %s, without reading the rest', (_, begin, filling, code) => {
    const { count, result } = steps(Buffer.concat([Buffer.from(begin), Buffer.alloc(20_000_000, filling)]));
    expect(result).toMatchObject({ ok: false, status: { code } });
    expect(count).toBeLessThanOrEqual(2);
  });

  it('pause after some thousand elements, even if the elements are short', () => {
    const elements = 100_000;
    const { count, result } = steps(Buffer.from(`{"objects":[${'0,'.repeat(elements)}0]}`), { definitions: 1, objects: Infinity });
    expect(result).toMatchObject({ ok: true });
    expect(count).toBeGreaterThan(elements / 5000);
    expect(count).toBeLessThan(stepsOf(2 * elements) + elements / 1000);
  });
});
