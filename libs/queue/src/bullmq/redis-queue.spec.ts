import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { queueContract } from '../../test/contract.ts';
import { RedisQueue } from './redis-queue.ts';

const installed = spawnSync('redis-server', ['--version']).status === 0;
if (!installed) console.warn('redis-server is not on PATH: the Redis adapter is not tested (Debian package redis-server)');

let server: ChildProcess | undefined;
let url = '';
let namespaces = 0;

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

describe.skipIf(!installed)('a private redis-server', () => {
  beforeAll(async () => {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'assay-redis-'));
    server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await new Promise<void>((resolve) =>
      server?.stdout?.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve()),
    );
    url = `redis://127.0.0.1:${port}`;
  });
  afterAll(() => void server?.kill('SIGKILL'));

  queueContract(
    'Redis',
    () => Promise.resolve(new RedisQueue(url, `test-${++namespaces}`)),
    async () => {
      const queue = new RedisQueue(url, `test-${namespaces}`);
      // What a dead consumer had claimed comes back when its lease ends; here that is brought about at once.
      await queue.expireLeases();
      return queue;
    },
  );
});
