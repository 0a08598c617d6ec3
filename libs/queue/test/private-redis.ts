import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether tests over Redis can run here; says so when not. */
export const redisInstalled = spawnSync('redis-server', ['--version']).status === 0;
if (!redisInstalled) console.warn('redis-server is not on PATH: the Redis adapter is not tested (Debian package redis-server)');

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** A server of the test's own, without persistence. */
export interface PrivateRedis {
  readonly url: string;
  /** Deletes everything, as an operator's accident would. */
  readonly flush: () => Promise<void>;
  /** Sends one command, such as `CONFIG SET maxmemory 1mb`, and waits for its answer. */
  readonly command: (line: string) => Promise<void>;
  /** Such as SIGSTOP: it answers nobody until SIGCONT, and its clock goes on. */
  readonly signal: (name: NodeJS.Signals) => void;
  readonly stop: () => void;
}

/** Starts one. */
export async function startRedis(): Promise<PrivateRedis> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'assay-redis-'));
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise<void>((resolve) =>
    server.stdout.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve()),
  );
  return {
    url: `redis://127.0.0.1:${port}`,
    flush: () => command(port, 'FLUSHALL'),
    command: (line) => command(port, line),
    signal: (name) => void server.kill(name),
    stop: () => void server.kill('SIGKILL'),
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
