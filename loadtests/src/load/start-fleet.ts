import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startService } from './start-service.ts';
import type { Service } from './start-service.ts';

/** A service over a Redis of its own, and one worker with as many threads as the service would have; undefined where there is no redis-server. */
export async function startFleet(extra: Readonly<Record<string, string>> = {}): Promise<Service | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fleet-'));
  const redis = await startRedis(folder);
  if (!redis) return undefined;
  const environment = { ...extra, ASSAY_REDIS_URL: redis.url };
  const dist = resolve(import.meta.dirname, '../../..');
  const worker = spawn(process.execPath, ['--import', join(dist, 'apps/worker/src/preload.js'), join(dist, 'apps/worker/src/main.js')], {
    env: { ...process.env, ...environment, PORT: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const service = await startService(environment);
  return {
    ...service,
    stop: async () => {
      await service.stop();
      await ended(worker);
      await ended(redis.process);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startRedis(folder: string): Promise<{ readonly url: string; readonly process: ChildProcess } | undefined> {
  const port = await freePort();
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ready = await new Promise<boolean>((settle) => {
    server.once('error', () => settle(false));
    server.stdout.on('data', (text: Buffer) => text.includes('Ready to accept connections') && settle(true));
  });
  return ready ? { url: `redis://127.0.0.1:${port}`, process: server } : undefined;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = new Promise<void>((done) => child.once('exit', () => done()));
  child.kill('SIGTERM');
  await exit;
}
