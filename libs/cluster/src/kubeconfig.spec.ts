import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { answerStatus, FakeApiServer } from '../testing/fake-api-server.ts';
import { ApiReader } from './api-reader.ts';
import { findCluster } from './kubeconfig.ts';
import type { ClusterChoice } from './kubeconfig.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-kubeconfig-'));
const fileOf = (name: string, content: object | string): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};
const config = (user: object, more: object = {}) => ({
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1', ...more } }],
  users: [{ name: 'u', user }],
  contexts: [{ name: 'one', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'one',
});
const sentenceOf = (choice: ClusterChoice): string => {
  const found = findCluster(choice);
  return found.ok ? `found ${found.value.name}` : found.problem.sentence;
};

let server: FakeApiServer;
beforeAll(async () => {
  server = await FakeApiServer.start({});
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe('a kubeconfig without a usable cluster is reported:', () => {
  const withExec = fileOf('exec', config({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'aws' } }));
  it.each<[string, ClusterChoice, string]>([
    ['no file', { kubeconfig: join(folder, 'none') }, `the kubeconfig ${join(folder, 'none')} is not there`],
    ['a folder', { kubeconfig: folder }, `the kubeconfig ${folder} cannot be read: EISDIR: illegal operation on a directory, read`],
    ['no YAML', { kubeconfig: fileOf('broken', '{ a: [') }, `the kubeconfig ${join(folder, 'broken')} cannot be read`],
    ['another document', { kubeconfig: fileOf('other', { clusters: 7 }) }, `the kubeconfig ${join(folder, 'other')} is none: clusters`],
    ['no such context', { kubeconfig: withExec, context: 'two' }, 'the kubeconfig has no context two; it has one'],
    ['no current context', { kubeconfig: fileOf('empty', {}) }, 'the kubeconfig has no current context: name one of none with --context'],
    [
      'no server',
      { kubeconfig: fileOf('serverless', { ...config({}), clusters: [] }) },
      'context one: the kubeconfig has no server for its cluster c',
    ],
    ['no user', { kubeconfig: fileOf('userless', { ...config({}), users: [] }) }, 'context one: the kubeconfig has no user u'],
    [
      'a program that was not allowed',
      { kubeconfig: withExec },
      'context one runs the program aws for credentials; --allow-exec permits it',
    ],
    [
      'an old plugin',
      { kubeconfig: fileOf('gcp', config({ 'auth-provider': { name: 'gcp' } })) },
      'context one: auth-provider gcp is not supported',
    ],
    [
      'no certificate',
      { kubeconfig: fileOf('lost', config({ 'client-certificate': 'gone' })) },
      `context one: client-certificate ${join(folder, 'gone')} cannot be read (ENOENT)`,
    ],
  ])('%s', (_, choice, sentence) => {
    expect(sentenceOf(choice)).toContain(sentence);
  });

  it('the file is missing', () => {
    vi.stubEnv('KUBECONFIG', join(folder, 'nowhere'));
    expect(sentenceOf({})).toContain('and this is no pod of a cluster');
  });
});

it('if several kubeconfigs define the same name, the first one counts', () => {
  const first = fileOf('first', { ...config({ token: 'first' }), 'current-context': '' });
  const second = fileOf('second', {
    ...config({ token: 'second' }),
    contexts: [{ name: 'two', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'two',
  });
  vi.stubEnv('KUBECONFIG', [join(folder, 'nowhere'), first, second].join(delimiter));
  const found = findCluster({});
  expect(found).toMatchObject({ ok: true, value: { name: 'two', credentials: { kind: 'token', token: 'first' } } });
});

/** Returns the credentials that a server receives from a kubeconfig user, or the problem that prevents the request. */
async function shownOf(user: object, allowExec = false): Promise<{ authorization: string | undefined; problem: string | undefined }> {
  const found = findCluster({ kubeconfig: fileOf('shown', config(user, { server: server.url })), allowExec });
  if (!found.ok) return { authorization: undefined, problem: found.problem.sentence };
  let authorization: string | undefined;
  server.once.push((request) => {
    authorization = request.headers.authorization;
    return false;
  });
  const reader = new ApiReader(found.value);
  const answer = await reader.get('/version');
  reader.close();
  server.once.length = 0;
  return { authorization, problem: answer.ok ? undefined : answer.problem.sentence };
}

describe('a user of a kubeconfig authenticates', () => {
  it('with its token, its token file, or its password', async () => {
    expect(await shownOf({ token: 't' })).toMatchObject({ authorization: 'Bearer t' });
    fileOf('token', 'of-file\n');
    expect(await shownOf({ token: 't', tokenFile: 'token' })).toMatchObject({ authorization: 'Bearer of-file' });
    expect(await shownOf({ username: 'me', password: 'x' })).toMatchObject({ authorization: `Basic ${btoa('me:x')}` });
  });

  it('with the credentials of a program only if the caller allows programs', async () => {
    const script = (text: string): object => {
      const file = fileOf('program.sh', `#!/bin/sh\n${text}\n`);
      chmodSync(file, 0o755);
      return {
        exec: { apiVersion: 'client.authentication.k8s.io/v1', command: './program.sh', env: [{ name: 'WORD', value: 'of-program' }] },
      };
    };
    const answers = script(`printf '{"kind":"ExecCredential","status":{"token":"%s"}}' "$WORD"`);
    expect(await shownOf(answers, true)).toEqual({ authorization: 'Bearer of-program', problem: undefined });
    expect((await shownOf(answers)).problem).toContain('--allow-exec permits it');
    expect((await shownOf(script('echo no'), true)).problem).toContain('what it wrote is no ExecCredential');
    expect((await shownOf(script('exit 3'), true)).problem).toContain('it ended with status 3');
    expect((await shownOf({ exec: { apiVersion: 'v1', command: './absent' } }, true)).problem).toContain('gave no credentials');
  });
});

it('if the server rejects a token from a file, an ApiReader reads the file again before it reports the error', async () => {
  fileOf('token', 'old');
  const found = findCluster({ kubeconfig: fileOf('unknown', config({ tokenFile: 'token' }, { server: server.url })) });
  if (!found.ok) throw new Error(found.problem.sentence);
  const before = server.requests.length;
  const refuse = (_: unknown, response: Parameters<typeof answerStatus>[0]) => answerStatus(response, 401, 'Unauthorized', 'Unauthorized');
  server.once.push(refuse, refuse);
  const reader = new ApiReader(found.value);
  expect(await reader.get('/version')).toMatchObject({
    problem: {
      kind: 'unauthorized',
      sentence: 'one: the server does not know who asks (401): the credentials of the kubeconfig are not valid',
    },
  });
  reader.close();
  expect(server.requests.length - before).toBe(2);
});

it('an ApiReader reports a server without a listener at once, without another try', async () => {
  const free = createServer();
  await new Promise<void>((done) => free.listen(0, '127.0.0.1', done));
  const { port } = free.address() as AddressInfo;
  await new Promise((done) => free.close(done));
  const reader = new ApiReader({ ...server.address, server: new URL(`http://127.0.0.1:${port}/`) }, { pauseMs: 100_000 });
  expect(await reader.get('/version')).toEqual({
    ok: false,
    problem: { kind: 'unreachable', sentence: `fake: http://127.0.0.1:${port} cannot be reached: nothing listens there` },
  });
});
