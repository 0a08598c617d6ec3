import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isJsonObject, readJson } from '#go';
import type { JsonObject } from '#go';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { answerStatus, FakeApiServer, FakeDefinitions } from '../../testing/fake-api-server.ts';
import { ApiWriter } from '../api-writer.ts';
import { copyDefinition } from './copy-definition.ts';
import { findTemporary, removeTemporary, TemporaryDefinitions } from './temporary-definitions.ts';

const RUN = 'r0a1b2c3d';
const QUICK = { servedMs: 300, goneMs: 300, pollMs: 5 };
const LABELS = ['one', 'two', 'three'] as const;

function copyNamed(label: string, runId = RUN): JsonObject {
  const reading = readJson(JSON.stringify(customDefinition({ kind: 'Pump', schema: { type: 'object' } })));
  const copy = reading.ok && isJsonObject(reading.value) ? copyDefinition(reading.value, { runId, label }, 'none') : undefined;
  if (copy === undefined) throw new Error('no copy');
  return copy;
}

const nameOf = (label: string, runId = RUN): string => `pumps.${label}.${runId}.assay.dev`;

describe('temporary definitions', () => {
  let server: FakeApiServer;
  let fake: FakeDefinitions;
  let writer: ApiWriter;
  let temporary: TemporaryDefinitions;

  beforeEach(async () => {
    server = await FakeApiServer.start({});
    fake = new FakeDefinitions();
    server.always.push((...both) => server.once.length === 0 && fake.answer(...both));
    writer = new ApiWriter(server.address, { attempts: 2, pauseMs: 1 }, { silenceMs: 300 });
    temporary = new TemporaryDefinitions(writer, RUN, QUICK);
  });
  afterEach(async () => {
    writer.close();
    await server.stop();
  });

  /** Answers the next request of a method in another way. All other requests have their usual answers. */
  const nextOf = (method: string, answer: FakeApiServer['always'][number]): void => {
    let isOpen = true;
    server.always.unshift((request, response) => {
      if (!isOpen || request.method !== method) return false;
      isOpen = false;
      return answer(request, response);
    });
  };
  const refuse = (code: number) => nextOf('POST', (_, response) => answerStatus(response, code, 'No', 'not now'));
  const createAll = async () => {
    for (const label of LABELS) await temporary.create(copyNamed(label));
  };

  it('are created, served and removed', async () => {
    expect(await temporary.create(copyNamed('one'))).toEqual({ ok: true, value: nameOf('one') });
    expect(await temporary.untilEstablished(nameOf('one'))).toEqual({ ok: true, value: nameOf('one') });
    expect([...fake.stored.keys()]).toEqual([nameOf('one')]);
    expect(await temporary.removeAll()).toEqual({ removed: [nameOf('one')], left: [] });
    expect([fake.stored.size, temporary.names]).toEqual([0, []]);
    expect(fake.bodies.at(-1)).toContain('"preconditions":{"uid":"uid-1"}');
  });

  it.each([403, 409, 422])('that the server refuses with %i are not removed, because the server did not create them', async (code) => {
    refuse(code);
    expect(await temporary.create(copyNamed('one'))).toMatchObject({
      ok: false,
      problem: { sentence: expect.stringContaining(String(code)) },
    });
    expect(temporary.names).toEqual([]);
  });

  it.each([500, 504])('that the server may have created before it answered %i are removed', async (code) => {
    nextOf('POST', (request, response) => {
      const labels = { 'app.kubernetes.io/managed-by': 'assay', 'assay.dev/temporary-run': RUN };
      fake.stored.set(nameOf('one'), { metadata: { name: nameOf('one'), uid: '7', labels }, spec: { group: `one.${RUN}.assay.dev` } });
      request.resume();
      return answerStatus(response, code, 'Timeout', 'too slow');
    });
    expect((await temporary.create(copyNamed('one'))).ok).toBe(false);
    expect(await temporary.removeAll()).toEqual({ removed: [nameOf('one')], left: [] });
    expect(fake.stored.size).toBe(0);
  });

  it('whose creation broke off count as removed if the server does not have them', async () => {
    nextOf('POST', (request) => {
      request.socket.destroy();
      return true;
    });
    expect(await temporary.create(copyNamed('one'))).toMatchObject({ ok: false, problem: { kind: 'unreachable' } });
    expect(temporary.names).toEqual([nameOf('one')]);
    expect(await temporary.removeAll()).toEqual({ removed: [nameOf('one')], left: [] });
  });

  it('are removed even if the server is busy at the first try', async () => {
    await createAll();
    nextOf('DELETE', (_, response) => answerStatus(response, 503, 'Busy', 'busy'));
    expect(await temporary.removeAll()).toEqual({ removed: LABELS.map((label) => nameOf(label)), left: [] });
  });

  it('are reported, each with the reason, if the server forbids their removal', async () => {
    await createAll();
    nextOf('DELETE', (_, response) => answerStatus(response, 403, 'Forbidden', 'you may not'));
    const removal = await temporary.removeAll();
    expect(removal.removed).toEqual([nameOf('two'), nameOf('three')]);
    expect(removal.left).toEqual([{ name: nameOf('one'), why: expect.stringContaining('you may not (403)') }]);
    // A second call removes the rest.
    expect(await temporary.removeAll()).toEqual({ removed: [nameOf('one')], left: [] });
  });

  it('are reported without further requests if the server does not answer', async () => {
    await createAll();
    await server.stop();
    const started = performance.now();
    const { removed, left } = await temporary.removeAll();
    expect(removed).toEqual([]);
    expect(left.map(({ name }) => name)).toEqual(LABELS.map((label) => nameOf(label)));
    expect(left[2]?.why).toContain('cannot be reached');
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('that a server removes slowly are reported', async () => {
    await createAll();
    nextOf('DELETE', (request, response) => {
      request.resume();
      response.end('{}');
      return true;
    });
    const { left } = await temporary.removeAll();
    expect(left).toEqual([{ name: nameOf('one'), why: `${nameOf('one')}: the server still removes it after 0.3 s` }]);
  });

  it('are reported if the server does not establish them in time, or rejects their names', async () => {
    await temporary.create(copyNamed('one'));
    const withConditions = (conditions: object[]): void => {
      const stored = fake.stored.get(nameOf('one'));
      if (stored) fake.stored.set(nameOf('one'), { ...stored, status: { conditions } });
    };
    withConditions([]);
    expect(await temporary.untilEstablished(nameOf('one'))).toMatchObject({
      problem: { sentence: expect.stringContaining('within 0.3 s') },
    });
    withConditions([{ type: 'NamesAccepted', status: 'False', message: 'the plural is taken' }]);
    expect(await temporary.untilEstablished(nameOf('one'))).toMatchObject({
      problem: { sentence: expect.stringContaining('plural is taken') },
    });
  });

  it('accept objects as soon as the server no longer answers 404', async () => {
    await temporary.create(copyNamed('one'));
    const path = `/apis/one.${RUN}.assay.dev/v1/namespaces/default/pumps?dryRun=All`;
    for (let i = 0; i < 2; i++) nextOf('POST', (_, response) => answerStatus(response, 404, 'NotFound', 'not yet'));
    const write = { method: 'POST', path, body: Buffer.from('{}') } as const;
    expect(await temporary.firstWrite(write)).toMatchObject({ kind: 'answered', code: 201 });
    expect(await temporary.firstWrite({ ...write, path: '/apis/other.dev/v1/pumps' })).toMatchObject({ kind: 'answered', code: 404 });
  });

  it('of all runs are found, and other definitions are neither found nor removed', async () => {
    await createAll();
    await temporary.create(copyNamed('one', 'rffffffff'));
    const other = {
      metadata: { name: 'pumps.example.com', uid: '9', labels: { 'app.kubernetes.io/managed-by': 'assay' } },
      spec: { group: 'example.com' },
    };
    fake.stored.set(other.metadata.name, other);
    const found = await findTemporary(writer);
    expect(found.ok && found.value.map(({ name, run }) => [name, run])).toEqual([
      ...LABELS.map((label) => [nameOf(label), RUN]),
      [nameOf('one', 'rffffffff'), 'rffffffff'],
    ]);
    const wrong = await removeTemporary(
      writer,
      [
        { name: 'pumps.example.com', run: RUN },
        { name: nameOf('one', 'rffffffff'), run: RUN },
      ],
      QUICK,
    );
    expect(wrong.removed).toEqual([]);
    expect(wrong.left[0]?.why).toBe(`pumps.example.com: it is no temporary definition of the run ${RUN}`);
    expect(fake.stored.size).toBe(5);
    expect((await removeTemporary(writer, found.ok ? found.value : [], QUICK)).left).toEqual([]);
    expect([...fake.stored.keys()]).toEqual(['pumps.example.com']);
  });
});
