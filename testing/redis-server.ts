import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** Returns true if there is a redis-server on PATH (Debian package redis-server). */
export const redisOnPath = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

/** Pattern of the output line that shows that redis-server is ready. */
export const REDIS_READY = /Ready to accept connections/;

/** Returns the arguments of a separate redis-server: on 127.0.0.1, without snapshots, and with its files in `folder`. */
export const redisArguments = (port: number, folder: string): string[] => [
  '--port',
  String(port),
  '--bind',
  '127.0.0.1',
  '--save',
  '',
  '--dir',
  folder,
];

/** Starts a redis-server and waits until it is ready. Fails if the server ends before it is ready. `more` contains additional arguments. */
export async function startRedisServer(port: number, folder: string, more: readonly string[] = []): Promise<ChildProcess> {
  const server = spawn('redis-server', [...redisArguments(port, folder), ...more], { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise<void>((ready, fail) => {
    server.once('exit', () => fail(new Error('redis-server ended before it was ready')));
    server.stdout.on('data', (text: Buffer) => REDIS_READY.test(text.toString()) && ready());
  });
  return server;
}
