import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { redisInstalled, startRedis } from '../../../libs/jobs/test/private-redis.ts';
import { keysFile, sha256 } from './keys-file.ts';
import { slow, slowObject } from './slow.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';
import { thorough } from '../../../testing/thorough.ts';

/** Cleanup functions that run after each test, the last one first. */
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of open.splice(0).toReversed()) await end();
});

type Line = Readonly<Record<string, unknown>>;

/** Starts a service that writes its audit log to a separate file. */
async function start(variables: NodeJS.ProcessEnv) {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-ends-')), 'audit.log');
  const settings = { ASSAY_THREADS: '1', ASSAY_AUDIT_LEVEL: 'metadata', ASSAY_AUDIT_FILE: file };
  const { app, url } = await startApi({ ...settings, ...variables });
  const close = (): Promise<void> => app.close();
  open.push(close);
  const ends = (): Line[] =>
    (existsSync(file) ? readFileSync(file, 'utf8') : '')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line)
      .filter(({ stage }) => stage === 'EvaluationEnded');
  return { url, ends, close };
}
type Service = Awaited<ReturnType<typeof start>>;

const authorization = 'Bearer token-alpha';
const ASSAY_KEYS_FILE = keysFile([{ name: 'alpha', sha256: sha256('token-alpha') }]);

/** Starts an asynchronous evaluation and returns its id. */
async function begin({ url }: Service, definition: object, objects: readonly object[]): Promise<string> {
  const headers = { authorization, 'content-type': 'application/json' };
  const body = JSON.stringify({ definitions: [definition], objects, options: { deadline: '20m' } });
  const response = await fetch(`${url}/evaluate?wait=0`, { method: 'POST', headers, body });
  expect(response.status).toBe(202);
  return response.headers.get('location')?.split('/').at(-1) ?? '';
}
const remove = async ({ url }: Service, id: string): Promise<void> => {
  expect((await fetch(`${url}/evaluations/${id}`, { method: 'DELETE', headers: { authorization } })).status).toBe(204);
};
/** Waits until `holds` returns true. Only the timeout of the test limits the wait. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
/** Waits until the audit log has `count` lines about ends, and returns these lines. */
async function endsOf(service: Service, count: number): Promise<Line[]> {
  await until(() => service.ends().length >= count);
  return service.ends();
}

const two = [widget('a', [1]), widget('b', ['x'])];
const many = Array.from({ length: 40 }, (_, i) => widget(`w${i}`, ['x']));
/** Objects that keep a thread busy for seconds. */
const busy = Array.from({ length: 6 }, (_, i) => slowObject(`busy${i}`, 900));
/** Objects that keep a thread busy for a second or more. */
const unhurried = Array.from({ length: 3 }, (_, i) => slowObject(`unhurried${i}`, 300));
const user = { username: 'alpha' };

describe('the audit log states how an asynchronous evaluation ended', () => {
  it('without Redis, even if the service restarted in between', async () => {
    const ASSAY_JOURNAL = join(mkdtempSync(join(tmpdir(), 'assay-ends-')), 'journal.sqlite');
    const settings = { ASSAY_JOURNAL, ASSAY_KEYS_FILE, ASSAY_FLOW_RESULT_BYTES: '4000' };
    const first = await start(settings);
    const complete = await begin(first, widgets, two);
    expect(await endsOf(first, 1)).toEqual([
      {
        kind: 'Event',
        apiVersion: 'audit.assay/v1',
        level: 'metadata',
        stage: 'EvaluationEnded',
        evaluation: complete,
        end: 'complete',
        user,
        stageTimestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        summary: {
          items: 2,
          accepted: 1,
          rejected: 1,
          notEvaluated: 0,
          cancelled: 0,
          warnings: 0,
          takenOff: 0,
          celCost: expect.any(Number),
        },
      },
    ]);
    expect(first.ends()[0]?.['summary']).not.toHaveProperty('celCost', 0);
    const tooLarge = await begin(first, widgets, many);
    expect((await endsOf(first, 2))[1]).toMatchObject({ evaluation: tooLarge, end: 'tooLarge', user });
    const cancelled = await begin(first, slow, busy);
    await remove(first, cancelled);
    expect((await endsOf(first, 3))[2]).toMatchObject({ evaluation: cancelled, end: 'cancelled', user, summary: expect.anything() });
    // The deletion of an evaluation that has already ended is no second end.
    await remove(first, cancelled);
    const later = await begin(first, slow, unhurried);
    await first.close();
    expect(first.ends()).toHaveLength(3);
    const second = await start(settings);
    expect(await endsOf(second, 1)).toMatchObject([{ evaluation: later, end: 'complete', user, summary: { items: 3, accepted: 3 } }]);
    await second.close();
    expect(second.ends()).toHaveLength(1);
  });

  it.skipIf(!redisInstalled || !thorough).each(['node', 'worker'])(
    'over Redis, in the process that ended the evaluation or found it lost: an API process and a %s',
    async (role) => {
      const redis = await startRedis();
      open.push(redis.stop);
      const client = redis.connect();
      open.push(() => client.disconnect());
      const settings = { ASSAY_REDIS_URL: redis.url, ASSAY_KEYS_FILE };
      const [api, node] = [await start({ ...settings, ASSAY_ROLE: 'api' }), await start({ ...settings, ASSAY_ROLE: role })];
      const complete = await begin(api, widgets, two);
      expect(await endsOf(node, 1)).toMatchObject([{ evaluation: complete, end: 'complete', user, summary: { items: 2, rejected: 1 } }]);
      const running = await begin(api, slow, busy);
      const lost = await begin(api, slow, busy);
      // Deletes the record of the evaluation, and with it the owner. So the end `lost` has no user.
      await client.del(`{assay}:ev:${lost}`);
      await until(() => api.ends().length + node.ends().length > 1);
      await remove(api, running);
      await until(() => api.ends().some(({ evaluation }) => evaluation === running));
      await Promise.all([api.close(), node.close()]);
      expect(node.ends().filter(({ evaluation }) => evaluation === running)).toEqual([]);
      expect([...api.ends(), ...node.ends()].filter(({ evaluation }) => evaluation !== complete)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ evaluation: running, end: 'cancelled', user }),
          expect.objectContaining({ evaluation: lost, end: 'lost' }),
        ]),
      );
      expect([...api.ends(), ...node.ends()]).toHaveLength(3);
    },
  );
});
