import { describe, expect, it } from 'vitest';
import { splitEnvelope } from './split-envelope.ts';

const cut = (text: string) => splitEnvelope(Buffer.from(text));

describe('splitEnvelope', () => {
  it('cuts definitions and objects without touching their text', () => {
    const result = cut('{"definitions":[{"a":"]}\\""}],\n "objects":[ {"n":1.0}, [1,2] ,"x"],"options":{"explain":true}}');
    if (!result.ok) throw new Error(result.status.message);
    expect(result.value.definitions.map((d) => Buffer.from(d.bytes).toString())).toEqual(['{"a":"]}\\""}']);
    expect(result.value.objects.map((o) => Buffer.from(o.bytes).toString())).toEqual(['{"n":1.0}', '[1,2]', '"x"']);
    expect(result.value.options).toMatchObject({ explain: true, kubernetesVersion: '1.37', fieldValidation: 'Warn' });
  });

  it.each([
    ['', /unexpected end of JSON input/],
    ['[]', /must be a JSON object/],
    ['{"objects":[1', /unexpected end of JSON input/],
    ['{"objects":[{]}]}', /closed by one of another kind/],
    ['{"objects":[]} x', /more after the JSON value/],
    ['{"objekts":[]}', /unknown field "objekts"/],
    ['{"objects":[],"objects":[]}', /duplicate field "objects"/],
    ['{"options":{"kubernetesVersion":"1.29"}}', /options\.kubernetesVersion/],
    ['{"options":{"explian":true}}', /explian/],
    [`{"objects":[${'['.repeat(10_001)}`, /exceeded max depth/],
  ])('answers %j with a 400 that says why', (text, message) => {
    const result = cut(text);
    expect(result.ok ? undefined : result.status).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: expect.stringMatching(message) as string,
    });
  });
});
