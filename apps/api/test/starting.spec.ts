import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { UnusableJournal } from '#jobs';
import { checkRedis } from '#jobs/redis';
import { thorough } from '../../../testing/thorough.ts';
import { redisInstalled, startRedis } from '../../../libs/jobs/test/private-redis.ts';
import type { PrivateRedis } from '../../../libs/jobs/test/private-redis.ts';
import { testedArguments } from '../../../testing/app-arguments.ts';
import type { Role } from '../../../testing/app-arguments.ts';
import { readApiConfig } from '../src/config.ts';
import { journalReason } from '../src/serve.ts';
import { startProcess } from './fleet-processes.ts';
import type { FleetProcess } from './fleet-processes.ts';
import { serviceEnvironment } from './service-environment.ts';
import { startApi } from './start-api.ts';

const newJournal = (): string => join(mkdtempSync(join(tmpdir(), 'assay-starting-')), 'journal.sqlite');

let redis: PrivateRedis | undefined;
let other: FleetProcess | undefined;
afterEach(async () => {
  redis?.stop();
  other?.signal('SIGKILL');
  await other?.ended;
  [redis, other] = [undefined, undefined];
});

/** Runs a process that is expected to end by itself. Returns its exit code and its stderr output. */
async function runToItsEnd(role: Role, variables: NodeJS.ProcessEnv): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, testedArguments(), {
    env: serviceEnvironment({
      HOST: '127.0.0.1',
      PORT: '0',
      ASSAY_THREADS: '1',
      ASSAY_JOURNAL: newJournal(),
      ASSAY_ROLE: role,
      ...variables,
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (block: Buffer) => (err += block.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, err };
}

/** Addresses that are none of a Redis. */
const NO_ADDRESSES = ['not-a-url', 'http://127.0.0.1:6379', 'redis+sentinel://127.0.0.1'];

describe('settings that prevent the start are reported with their variable:', () => {
  it.each(NO_ADDRESSES)('the address %s, which is no address of a Redis', (url) => {
    expect(() => readApiConfig({ ASSAY_REDIS_URL: url })).toThrow(/^ASSAY_REDIS_URL: /);
  });

  it('a worker without the address of a Redis', () => {
    expect(() => readApiConfig({ ASSAY_ROLE: 'worker' })).toThrow(/^ASSAY_REDIS_URL: a worker takes chunks from Redis/);
  });
});

/** In normal runs, the test of a variable that is not a setting starts the only process whose settings cannot be read. */
describe.runIf(thorough).each(['node', 'worker'] as const)('a process with the role %s does not start, and names the variable,', (role) => {
  it.each(NO_ADDRESSES)('with %s', async (url) => {
    const { code, err } = await runToItsEnd(role, { ASSAY_REDIS_URL: url });
    expect([code, err]).toEqual([1, expect.stringMatching(/^Assay does not start: ASSAY_REDIS_URL: /) as string]);
  });
});

it.runIf(thorough)('a worker without the address of a Redis does not start, and names the variable', async () => {
  expect(await runToItsEnd('worker', {})).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Assay does not start: ASSAY_REDIS_URL: a worker takes chunks from Redis/) as string,
  });
});

const REDIS_THAT_CANNOT_SERVE: readonly (readonly [string, (url: string) => string, readonly string[], RegExp])[] = [
  ['no such database', (url) => `${url}/99`, [], /DB index is out of range/],
  ['a password is missing', (url) => url, ['CONFIG SET requirepass word'], /NOAUTH/],
  ['a password is wrong', (url) => url.replace('//', '//:other@'), ['CONFIG SET requirepass word'], /WRONGPASS/],
  ['the user may not run scripts', (url) => url.replace('//', '//assay:word@'), ['ACL SETUSER assay on >word ~* &* +@all -eval'], /NOPERM/],
  ['another release stores there', (url) => url, ['SET {assay}:format 99'], /form 99, and this release reads and writes form 7/],
  ['a cluster is meant', (url) => url.replace('redis:', 'redis+cluster:'), [], /no node of a cluster|cluster support disabled/],
];

/** Returns why a process cannot serve with the Redis at `url`, as it finds out when it starts. Returns undefined if it can. */
async function unusable(url: string): Promise<string | undefined> {
  const { redis, contentKeys } = readApiConfig({ ASSAY_REDIS_URL: url });
  if (redis === undefined) throw new Error('no Redis is set');
  let reason: string | undefined;
  await checkRedis(redis, { contentKeys, found: () => undefined, wrong: (said) => (reason = said) });
  return reason;
}

describe.skipIf(!redisInstalled)('a process checks its Redis at the start:', () => {
  // This process checks Redis with the code that a process of the service uses, and gets the reason. In one case, a
  // normal run also starts a process, and proves that the process ends with the reason.
  it.each(REDIS_THAT_CANNOT_SERVE)('an unusable Redis prevents the start: %s', async (what, urlOf, commands, words) => {
    redis = await startRedis();
    for (const line of commands) await redis.command(line);
    const reason = await unusable(urlOf(redis.url));
    expect(reason).toMatch(words);
    expect(reason).not.toContain('word@');
    const one = what === 'another release stores there' ? (['worker'] as const) : [];
    for (const role of thorough ? (['node', 'worker'] as const) : one) {
      const { code, err } = await runToItsEnd(role, { ASSAY_REDIS_URL: urlOf(redis.url) });
      expect([role, code, err]).toEqual([role, 1, expect.stringMatching(/does not start: ASSAY_REDIS_URL: /) as string]);
      expect(err).toMatch(words);
      expect(err).not.toContain('word@');
    }
  });

  it.skipIf(!thorough)('an eviction policy of Redis gives a warning', async () => {
    redis = await startRedis();
    await redis.command('CONFIG SET maxmemory-policy allkeys-lru');
    other = await startProcess('node', { ASSAY_REDIS_URL: redis.url });
    expect(other.written()).toMatch(/"level":40.*allkeys-lru/);
  });

  it.skipIf(!thorough)('if Redis is a replica, the process waits, and is ready when the replica becomes the master', async () => {
    redis = await startRedis();
    await redis.command('REPLICAOF 127.0.0.1 1');
    const started = startProcess('node', { ASSAY_REDIS_URL: redis.url });
    const stop = new AbortController();
    void started.finally(() => stop.abort());
    await redis.command('REPLICAOF NO ONE');
    other = await started;
    expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
  });
});

it('an unknown variable is reported as a hint if the process does not start', async () => {
  expect(await runToItsEnd('node', { ASSAY_TLS_CERT: 'a', ASSAY_TLS_KEY_FILE: 'b' })).toEqual({
    code: 1,
    err: 'Assay does not start: ASSAY_TLS_CERT_FILE and ASSAY_TLS_KEY_FILE go together; one is missing\nASSAY_TLS_CERT is not a setting, and has no effect. Did you mean ASSAY_TLS_CERT_FILE?\n',
  });
});

describe('the port and the journal of a process', () => {
  it('cannot be used by a second process, which reports that and exits; after the first process is killed, they are free', async () => {
    const journal = newJournal();
    other = await startProcess('node', { ASSAY_JOURNAL: journal });
    const { port } = new URL(other.url);
    expect(await runToItsEnd('node', { PORT: port })).toEqual({
      code: 1,
      err: `Assay does not start: port ${port} of 127.0.0.1 is taken by another process. Set PORT to another port\n`,
    });
    const inUse = `the journal ${journal} is in use by another process`;
    const error = await startApi({ ASSAY_JOURNAL: journal }).catch((thrown: unknown) => thrown);
    if (!(error instanceof UnusableJournal)) throw new Error('the journal is not refused');
    expect(await journalReason({ host: '127.0.0.1', port: 0, tls: undefined }, error)).toBe(
      `${inUse}, such as another service of this folder. End that process, or set ASSAY_JOURNAL to another file`,
    );
    expect(await runToItsEnd('node', { ASSAY_JOURNAL: journal, PORT: port })).toEqual({
      code: 1,
      err: `Assay does not start: ${inUse}, and port ${port} is taken, too. It seems that another service of this folder runs at ${other.url}: use it, or set both PORT and ASSAY_JOURNAL\n`,
    });
    expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
    other.signal('SIGKILL');
    await other.ended;
    // An unknown variable gives a warning.
    other = await startProcess('node', { ASSAY_JOURNAL: journal, ASSAY_MAX_BODY: '1' });
    const warning = 'ASSAY_MAX_BODY is not a setting, and has no effect. Did you mean ASSAY_MAX_BODY_BYTES?';
    expect(other.written()).toMatch(new RegExp(`"level":40.*${JSON.stringify(warning).replace('?', '\\?')}`));
    expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
    other.signal('SIGINT');
    expect(await other.ended).toBe(0);
    expect(other.written()).toMatch(/"requests":0,"withinMs":\d+,"msg":"the service stops"\}\n.*"msg":"the service has stopped"\}\n$/);
  });
});
