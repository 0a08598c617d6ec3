import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LATEST_MINOR, MINORS } from '#kube';
import { answerStatus, FakeApiServer } from '../testing/fake-api-server.ts';
import { ApiReader } from './api-reader.ts';
import { Cluster, pathOfObjects, servedDefinition } from './cluster.ts';
import { ClusterList } from './object-list.ts';

const PATH = '/apis/example.com/v1/widgets';
const names = Array.from({ length: 23 }, (_, i) => `w${String(i).padStart(2, '0')}`);
const widgets = names.map((name) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { namespace: 'a', name } }));

let server: FakeApiServer;
let reader: ApiReader;
beforeEach(async () => {
  server = await FakeApiServer.start({
    [PATH]: widgets,
    '/api/v1/namespaces': [{ metadata: { name: 'default' } }],
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies': [{ metadata: { name: 'p' } }],
  });
  reader = new ApiReader(server.address, { pauseMs: 1, silenceMs: 20_000 });
});
afterEach(async () => {
  reader.close();
  // The reader must send only GET requests, whatever the answers are.
  expect(server.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  await server.stop();
});

/** Returns the names of all objects in the list, and the problem if the list ended early. */
async function namesOf(list: ClusterList): Promise<{ names: string[]; problem: string | undefined }> {
  const items = (await Array.fromAsync(list)).flat();
  const read = items.map(({ bytes }) => (JSON.parse(Buffer.from(bytes).toString()) as { metadata: { name: string } }).metadata.name);
  return { names: read, problem: list.problem?.sentence };
}

const listOf = (limit = 5): ClusterList => new ClusterList(reader, { path: PATH }, { limit });

it('a ClusterList requests each page once', async () => {
  const list = listOf();
  expect(await namesOf(list)).toEqual({ names, problem: undefined });
  expect([list.count, list.remaining]).toEqual([23, 0]);
  expect(server.requests).toEqual([`GET ${PATH}?limit=5`, ...[5, 10, 15, 20].map((from) => `GET ${PATH}?limit=5&continue=${from}`)]);
});

it('a ClusterList requests one page ahead, but not two', async () => {
  const pages = listOf()[Symbol.asyncIterator]();
  await pages.next();
  await pages.next();
  await expect.poll(() => server.requests.length).toBe(3);
  await new Promise((done) => setTimeout(done, 50));
  expect(server.requests.length).toBe(3);
  await pages.return?.(undefined);
});

it('if the server reports an expired list, a ClusterList starts again and does not repeat objects', async () => {
  server.once.push(
    (request, response) =>
      (request.url?.includes('continue=10') ?? false) && answerStatus(response, 410, 'Expired', 'too old resource version'),
  );
  expect(await namesOf(listOf())).toEqual({ names, problem: undefined });
  expect(server.requests.filter((request) => request.endsWith('limit=5'))).toHaveLength(2);
});

it('if the server is busy, a ClusterList repeats the request after the stated delay', async () => {
  for (let i = 0; i < 2; i++)
    server.once.push((_, response) => answerStatus(response.setHeader('retry-after', '0'), 429, 'TooManyRequests', 'later'));
  server.once.push(
    (request, response) => (request.url?.includes('continue') ?? false) && answerStatus(response, 503, 'ServiceUnavailable', 'down'),
  );
  expect(await namesOf(listOf())).toEqual({ names, problem: undefined });
  expect(server.requests).toHaveLength(5 + 3);
});

it("if the server stays busy, a ClusterList ends with the server's message", async () => {
  server.always.push(
    (request, response) => (request.url?.includes('continue') ?? false) && answerStatus(response, 429, 'TooManyRequests', 'later'),
  );
  const { names: read, problem } = await namesOf(listOf());
  expect(read).toEqual(names.slice(0, 5));
  expect(problem).toBe(`fake: ${PATH}: later (429)`);
});

it('a ClusterList requests a page again if the answer is incomplete', async () => {
  server.once.push((request, response) => {
    if (!(request.url?.includes('continue=5') ?? false)) return false;
    response.writeHead(200, { 'content-length': '5000' }).write('{"items":[{"metadata":');
    setTimeout(() => response.destroy(), 20);
    return true;
  });
  expect(await namesOf(listOf())).toEqual({ names, problem: undefined });
});

it.each([
  ['{"items":[{"metadata":', 'the answer is no list'],
  ['<html>', 'the answer is no list'],
  ['{"kind":"Status"}', 'the answer is no list'],
  ['{"items":{}}', 'the answer is no list'],
])('a ClusterList reports an answer that is not a page: %s', async (body, sentence) => {
  server.always.push((_, response) => {
    response.writeHead(200).end(body);
    return true;
  });
  expect(await namesOf(listOf())).toEqual({ names: [], problem: `${PATH}: ${sentence}` });
});

it('a ClusterList reads compressed pages, and requests a truncated page again', async () => {
  const page = gzipSync(JSON.stringify({ kind: 'List', metadata: {}, items: widgets }));
  server.once.push((request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip');
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(page.subarray(0, page.length - 20));
    return true;
  });
  server.once.push((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(page);
    return true;
  });
  const answers = server.once.splice(0);
  // After a first answer, the reader tries again if a server does not respond.
  expect(await reader.get('/version')).toMatchObject({ ok: true });
  server.once.push(...answers);
  expect(await namesOf(listOf())).toEqual({ names, problem: undefined });
});

it('a ClusterList ends with an error if the server stops responding', async () => {
  const impatient = new ApiReader(server.address, { pauseMs: 1, silenceMs: 50, attempts: 2 });
  server.always.push((request) => request.url?.includes('continue') ?? false);
  const { names: read, problem } = await namesOf(new ClusterList(impatient, { path: PATH }, { limit: 5 }));
  impatient.close();
  expect(read).toEqual(names.slice(0, 5));
  expect(problem).toBe(`fake: ${server.url} cannot be reached: no answer for 0.05 s`);
});

it('a ClusterList requests smaller pages if a page is too large', async () => {
  const small = new ApiReader(server.address, { maxBytes: 500 });
  expect(await namesOf(new ClusterList(small, { path: PATH }, { limit: 16 }))).toEqual({ names, problem: undefined });
  small.close();
  expect(server.requests.slice(0, 3)).toEqual([`GET ${PATH}?limit=16`, `GET ${PATH}?limit=4`, `GET ${PATH}?limit=4&continue=4`]);
});

it('a ClusterList ends with an error if an object is above the size limit', async () => {
  const tiny = new ApiReader(server.address, { maxBytes: 50 });
  const { names: read, problem } = await namesOf(new ClusterList(tiny, { path: PATH }));
  tiny.close();
  expect(read).toEqual([]);
  expect(problem).toContain('the answer has more than 50 bytes');
});

it('if the user may not read a resource, policies() reports that and reads the other resources', async () => {
  server.always.push(
    (request, response) =>
      (request.url?.includes('policybindings') ?? false) &&
      answerStatus(response, 403, 'Forbidden', 'validatingadmissionpolicybindings is forbidden'),
  );
  const { documents, problems } = await new Cluster(reader).policies();
  expect(documents.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as unknown)).toEqual([
    { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy', metadata: { name: 'p' } },
  ]);
  expect(problems.map(({ kind }) => kind)).toEqual(['forbidden', 'forbidden']);
});

it('objects of built-in kinds get the kind and apiVersion that the server omits in lists', async () => {
  const listed = await new Cluster(reader).namespaces();
  const [first] = listed.ok ? listed.value : [];
  expect(JSON.parse(Buffer.from(first?.bytes ?? []).toString())).toEqual({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'default' },
  });
});

it("version() gives the supported version that is nearest to the server's version", async () => {
  const version = async (minor: string) => {
    server.once.push((_, response) => {
      response.writeHead(200).end(JSON.stringify({ major: '1', minor, gitVersion: `v1.${minor}` }));
      return true;
    });
    const reading = await new Cluster(reader).version();
    return reading.ok ? [reading.value.minor, reading.value.isKnown] : [reading.problem.sentence];
  };
  expect(await version('33+')).toEqual(['1.33', true]);
  for (const minor of MINORS) expect(await version(`${minor.slice(2)}+`)).toEqual([minor, true]);
  expect(await version('24')).toEqual(['1.30', false]);
  expect(await version('99')).toEqual([LATEST_MINOR, false]);
});

it("the path of a definition's objects uses the storage version if both definitions of a change serve this version", () => {
  const definition = (versions: readonly string[]) =>
    servedDefinition({
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: versions.map((name, i) => ({ name: name.replace('!', ''), served: !name.endsWith('!'), storage: i === 0 })),
      },
    });
  const path = (from: readonly string[], to?: readonly string[]) => {
    const found = definition(from);
    return found && pathOfObjects(found, to && definition(to))?.split('/')[3];
  };
  expect([path(['v2', 'v1']), path(['v2!', 'v1']), path(['v2', 'v1'], ['v1']), path(['v2'], ['v3']), path(['v1!'])]).toEqual([
    'v2',
    'v1',
    'v1',
    'v2',
    undefined,
  ]);
});
