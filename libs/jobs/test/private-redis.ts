import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../testing/free-port.ts';
import { redisOnPath, startRedisServer } from '../../../testing/redis-server.ts';
import { openConnection } from '../src/bullmq/connections.ts';
import type { Connection } from '../src/bullmq/connections.ts';
import { redisAddressOf } from '../src/bullmq/redis-address.ts';

/** True if Redis is installed, so that tests over Redis can run. */
export const redisInstalled = redisOnPath();
if (!redisInstalled) console.warn('redis-server is not on PATH: the Redis adapter is not tested (Debian package redis-server)');

/** Redis server that belongs to one test, without persistence. */
export interface PrivateRedis {
  readonly url: string;
  /** Deletes all data, to simulate a mistake of an operator. */
  readonly flush: () => Promise<void>;
  /** Sends one command, such as `CONFIG SET maxmemory 1mb`, and waits for its answer. */
  readonly command: (line: string) => Promise<void>;
  /** Opens a connection for inspecting the stored data. The caller must disconnect it. */
  readonly connect: () => Connection;
  /** Sends a signal to the server. After SIGSTOP, the server answers nothing until SIGCONT, while its clock continues. */
  readonly signal: (name: NodeJS.Signals) => void;
  readonly stop: () => void;
}

/** Starts a Redis server on a free port. */
export async function startRedis(): Promise<PrivateRedis> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'assay-redis-'));
  const server = await startRedisServer(port, folder);
  return {
    url: `redis://127.0.0.1:${port}`,
    flush: () => command(port, 'FLUSHALL'),
    command: (line) => command(port, line),
    connect: () => openConnection(redisAddressOf(`redis://127.0.0.1:${port}`), {}),
    signal: (name) => void server.kill(name),
    stop: () => {
      server.once('exit', () => rmSync(folder, { recursive: true, force: true }));
      server.kill('SIGKILL');
    },
  };
}

async function command(port: number, line: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', () => resolve());
    socket.write(`${line}\r\n`);
  });
  socket.destroy();
}
