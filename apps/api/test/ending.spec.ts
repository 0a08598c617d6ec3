import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';
import { redisInstalled, startRedis } from '../../../libs/jobs/test/private-redis.ts';
import type { PrivateRedis } from '../../../libs/jobs/test/private-redis.ts';
import { testedArguments } from '../../../testing/app-arguments.ts';
import type { Role } from '../../../testing/app-arguments.ts';
import { freePort } from '../../../testing/free-port.ts';
import { serviceEnvironment } from './service-environment.ts';

let child: ChildProcess | undefined;
let redis: PrivateRedis | undefined;
let silent: Server | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
  redis?.stop();
  silent?.close();
  [child, redis, silent] = [undefined, undefined, undefined];
});

/** Starts a process that may never become ready. The result gives access to its output and its exit. */
function start(role: Role, url: string) {
  const journal = join(mkdtempSync(join(tmpdir(), 'assay-ending-')), 'journal.sqlite');
  const started = spawn(process.execPath, testedArguments(), {
    env: serviceEnvironment({
      HOST: '127.0.0.1',
      PORT: '0',
      ASSAY_THREADS: '1',
      ASSAY_DRAIN_MS: '500',
      ASSAY_JOURNAL: journal,
      ASSAY_REDIS_URL: url,
      ASSAY_ROLE: role,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  let [out, err] = ['', ''];
  started.stdout.on('data', (block: Buffer) => (out += block.toString()));
  started.stderr.on('data', (block: Buffer) => (err += block.toString()));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => started.once('close', (code, signal) => resolve(code ?? signal)));
  /** Waits until `holds` returns true. Fails if the process ends first. Only the timeout of the test limits the wait. */
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) {
      if (started.exitCode !== null) throw new Error(`it ended with ${started.exitCode}: ${err}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const runs = (): boolean => out.includes('Assay listens') || err.includes('worker takes chunks');
  return { terminate: () => started.kill('SIGTERM'), ended, until, runs, log: () => err };
}

const isJson = (line: string): boolean => {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
};
const textLines = (log: string): string[] => log.split('\n').filter((line) => line !== '' && !isJson(line));

/** Starts a server that accepts connections and never answers, and returns its Redis URL. */
async function silentUrl(): Promise<string> {
  const server = createServer(() => undefined);
  silent = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ways in which Redis can be unreachable from the start, each with a function that returns the URL of an unreachable Redis. */
const UNREACHABLE: readonly (readonly [string, () => Promise<string>])[] = [
  ['is not there', async () => `redis://127.0.0.1:${await freePort()}`],
  ['has a name that nobody knows', () => Promise.resolve('redis://redis.invalid:6379')],
  ['accepts and never answers', silentUrl],
  ['has no sentinel that answers', async () => `redis+sentinel://127.0.0.1:${await freePort()}/main`],
  ['is a cluster of which no node answers', async () => `redis+cluster://127.0.0.1:${await freePort()}`],
];

describe.skipIf(!thorough).each(['node', 'worker'] as const)('SIGTERM ends a process of the service: %s', (role) => {
  it.each(UNREACHABLE)('whose Redis %s; the process writes its log as JSON', async (_, urlOf) => {
    const one = start(role, await urlOf());
    await one.until(() => one.runs() && one.log().includes('Redis'));
    one.terminate();
    expect(await one.ended).toBe(0);
    expect(textLines(one.log())).toEqual([]);
  });

  describe.skipIf(!redisInstalled)('with a Redis', () => {
    it.each([
      ['is killed', async (server: PrivateRedis) => server.signal('SIGKILL')],
      ['stands still', async (server: PrivateRedis) => server.signal('SIGSTOP')],
      ['asks for a password all of a sudden', (server: PrivateRedis) => server.command('CONFIG SET requirepass other')],
      ['is a replica all of a sudden', (server: PrivateRedis) => server.command('REPLICAOF 127.0.0.1 1')],
    ])('that %s', async (_, harm) => {
      redis = await startRedis();
      const one = start(role, redis.url);
      await one.until(one.runs);
      await harm(redis);
      one.terminate();
      expect(await one.ended).toBe(0);
      expect(textLines(one.log())).toEqual([]);
    });
  });
});
