import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';
import { redisInstalled, startRedis } from '../../../libs/jobs/test/private-redis.ts';
import type { PrivateRedis } from '../../../libs/jobs/test/private-redis.ts';
import { startProcess } from './fleet-processes.ts';
import type { Role } from '../../../testing/app-arguments.ts';
import type { FleetProcess } from './fleet-processes.ts';
import { widget, widgets } from './widgets.ts';

/** Mounts a small disk and returns its folder; undefined if this user is not permitted to mount a disk. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'assay-small-'));
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder]).status === 0 ? folder : undefined;
}
const mayMount = ((): boolean => {
  const folder = smallDisk();
  if (folder !== undefined) spawnSync('umount', [folder]);
  else console.warn('this user may not mount a tmpfs: a full disk is only imitated (libs/jobs/src/embedded/embedded-queue.spec.ts)');
  return folder !== undefined;
})();

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

async function start(role: Role, variables: NodeJS.ProcessEnv): Promise<FleetProcess> {
  const one = await startProcess(role, { ASSAY_DRAIN_MS: '500', ...variables });
  ends.push(async () => {
    one.terminate();
    await one.ended;
  });
  return one;
}
const evaluate = (url: string, path = '/evaluate', count = 3): Promise<Response> => {
  const objects = Array.from({ length: count }, (_, i) => widget(`w${i}-${Math.random()}`, [1, 2]));
  const body = JSON.stringify({ definitions: [widgets], objects });
  return fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
};
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}
async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await response.json()).toMatchObject({ kind: 'Status', reason: 'ServiceUnavailable', code: 503 });
}
/** Expects that a node is ready, and says that it refuses asynchronous evaluations. */
async function expectDegraded(url: string): Promise<void> {
  const ready = await fetch(`${url}/readyz`);
  expect(ready.status).toBe(200);
  const text = await ready.text();
  expect(text).toContain('[+]queue ok\n[-]storage failed: asynchronous evaluations are refused\n');
  expect(text).toContain('readyz check passed, degraded');
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^assay_storage_up(?:\{[^}]*\})? 0$/m);
}
const readiness = async (url: string, query = ''): Promise<string> => (await fetch(`${url}/readyz${query}`)).text();

describe('a full storage of the service', () => {
  it.skipIf(!mayMount || !thorough)(
    'on a disk: the service rejects work that it must store, does other work, reports the state, and recovers',
    async () => {
      const disk = smallDisk() ?? '';
      const filler = join(disk, 'filler');
      ends.push(() => spawnSync('umount', ['-l', disk]));
      const { url } = await start('node', { ASSAY_JOURNAL: join(disk, 'journal.sqlite') });
      const before = (await evaluate(url, '/evaluate?wait=0')).headers.get('location') ?? '';
      await (await fetch(`${url}${before}/results`)).text();
      expect(() => writeFileSync(filler, Buffer.alloc(8 * 1024 * 1024))).toThrow(/ENOSPC/);
      // The journal can still use the space that its files already have. So the first evaluations may succeed.
      await until(async () => (await evaluate(url, '/evaluate?wait=0', 200)).status !== 202);
      await expectUnavailable(await evaluate(url, '/evaluate?wait=0', 200));
      expect(await (await evaluate(url)).json()).toMatchObject({ summary: { items: 3, accepted: 3 } });
      await until(async () => (await readiness(url)).includes('[-]storage failed'));
      rmSync(filler);
      await until(async () => (await readiness(url)) === 'ok');
      const after = await evaluate(url, '/evaluate?wait=0', 200);
      expect(after.status).toBe(202);
      const lines = (await (await fetch(`${url}${after.headers.get('location')}/results`)).text()).trim().split('\n');
      expect(lines).toHaveLength(200);
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ outcome: 'accepted' });
    },
  );

  it.skipIf(!redisInstalled)(
    'in Redis: the service rejects work that it must store, does other work, reports the state, and recovers',
    async () => {
      const redis: PrivateRedis = await startRedis();
      ends.push(redis.stop);
      const { url } = await start('node', { ASSAY_REDIS_URL: redis.url });
      expect((await evaluate(url, '/evaluate?wait=0')).status).toBe(202);
      await redis.command('CONFIG SET maxmemory 1mb');
      await until(async () => (await evaluate(url, '/evaluate?wait=0')).status !== 202);
      await expectUnavailable(await evaluate(url, '/evaluate?wait=0'));
      expect(await (await evaluate(url)).json()).toMatchObject({ summary: { items: 3, accepted: 3 } });
      await until(async () => (await readiness(url, '?verbose')).includes('[-]storage failed'));
      await expectDegraded(url);
      await redis.command('CONFIG SET maxmemory 0');
      await until(async () => (await readiness(url, '?verbose')).includes('[+]storage ok'));
      await until(async () => (await evaluate(url, '/evaluate?wait=0')).status === 202);
    },
  );
});
