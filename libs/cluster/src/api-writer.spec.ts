import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../testing/free-port.ts';
import { answerJson, answerStatus, FakeApiServer } from '../testing/fake-api-server.ts';
import type { ClusterAddress } from './address.ts';
import { ApiWriter } from './api-writer.ts';
import type { WriteLimits, WriteOutcome } from './api-writer.ts';

const PATH = '/apis/example.com/v1/namespaces/default/pumps?dryRun=All';
const BODY = Buffer.from('{"kind":"Pump"}');
const TOKEN = 'token-of-the-client';

describe('ApiWriter', () => {
  let server: FakeApiServer;
  const writers: ApiWriter[] = [];

  beforeEach(async () => {
    server = await FakeApiServer.start({});
  });
  afterEach(async () => {
    for (const writer of writers.splice(0)) writer.close();
    await server.stop();
  });

  const writerWith = (limits: Partial<WriteLimits> = {}, address: Partial<ClusterAddress> = {}): ApiWriter => {
    const writer = new ApiWriter({ ...server.address, ...address }, {}, limits);
    writers.push(writer);
    return writer;
  };
  const answering = (answer: (request: IncomingMessage, response: ServerResponse) => void): void =>
    void server.always.push((request, response) => {
      answer(request, response);
      return true;
    });
  const post = (limits?: Partial<WriteLimits>, signal?: AbortSignal): Promise<WriteOutcome> =>
    writerWith(limits).write({ method: 'POST', path: PATH, body: BODY }, signal);

  it('sends POST, PUT and DELETE, and returns the code, the body and the time', async () => {
    const received: string[] = [];
    answering((request, response) => {
      let text = '';
      request.on('data', (part) => (text += String(part)));
      request.on('end', () => {
        received.push(`${request.headers['content-type'] ?? 'none'} ${text}`);
        setTimeout(() => answerJson(response, 201, { kind: 'Pump' }), 20);
      });
    });
    const writer = writerWith();
    const outcome = await writer.write({ method: 'POST', path: PATH, body: BODY });
    expect(outcome).toMatchObject({ kind: 'answered', code: 201, retryAfter: undefined, body: Buffer.from('{"kind":"Pump"}') });
    expect(outcome.kind === 'answered' && outcome.ms).toBeGreaterThan(15);
    await writer.write({ method: 'PUT', path: PATH, body: BODY });
    await writer.write({ method: 'DELETE', path: PATH });
    expect(server.requests).toEqual([`POST ${PATH}`, `PUT ${PATH}`, `DELETE ${PATH}`]);
    expect(received).toEqual(['application/json {"kind":"Pump"}', 'application/json {"kind":"Pump"}', 'none ']);
  });

  it.each([401, 403, 404, 409, 429, 500, 503])('does not send a write again after %i', async (code) => {
    answering((_, response) => answerJson(response, code, { kind: 'Status', message: 'no' }, { 'retry-after': '1' }));
    const outcome = await writerWith({}, { credentials: { kind: 'token', token: TOKEN } }).write({
      method: 'POST',
      path: PATH,
      body: BODY,
    });
    expect(outcome).toMatchObject({ kind: 'answered', code, retryAfter: '1' });
    expect(server.requests).toHaveLength(1);
  });

  it('does not send a write again if the server breaks the connection, even after earlier answers', async () => {
    const writer = writerWith();
    await writer.get('/version');
    answering((request) => request.socket.destroy());
    expect(await writer.write({ method: 'POST', path: PATH, body: BODY })).toMatchObject({ kind: 'broken', reason: 'ECONNRESET' });
    expect(server.requests).toEqual(['GET /version', `POST ${PATH}`]);
  });

  it('reports a connection that breaks in the middle of an answer', async () => {
    answering((request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"kind":');
      setTimeout(() => request.socket.destroy(), 20);
    });
    expect(await post()).toMatchObject({ kind: 'broken' });
    expect(server.requests).toHaveLength(1);
  });

  it('reports a server that sends no data for a time, before or within its answer', async () => {
    answering(() => undefined);
    expect(await post({ silenceMs: 50 })).toMatchObject({
      kind: 'broken',
      reason: 'no answer for 0.05 s',
      problem: { kind: 'unreachable', sentence: `fake: ${server.url} cannot be reached: no answer for 0.05 s` },
    });
    server.always.length = 0;
    answering((_, response) => response.writeHead(200).write('{'));
    expect(await post({ silenceMs: 50 })).toMatchObject({ kind: 'broken' });
  });

  it('stops after its time limit if a server sends data without end', async () => {
    answering((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    });
    expect(await post({ totalMs: 80 })).toMatchObject({ kind: 'broken', reason: 'no complete answer for 0.08 s' });
  });

  it('reports an answer that is larger than its limit', async () => {
    answering((_, response) => response.writeHead(200).end(Buffer.alloc(5000, ' ')));
    expect(await post({ maxBytes: 4096 })).toMatchObject({
      kind: 'tooLarge',
      problem: { sentence: `${PATH}: the answer has more than 4096 bytes` },
    });
  });

  it('stops when the signal is aborted, before and after it sent the request', async () => {
    expect(await post({}, AbortSignal.abort())).toEqual({ kind: 'stopped' });
    expect(server.requests).toEqual([]);
    const stop = new AbortController();
    answering(() => setTimeout(() => stop.abort(), 20));
    expect(await post({}, stop.signal)).toEqual({ kind: 'stopped' });
  });

  it('reports a server without a listener, and a token file that cannot be read', async () => {
    const free = await freePort();
    const address = { server: new URL(`http://127.0.0.1:${free}/`) };
    expect(await writerWith({}, address).write({ method: 'DELETE', path: PATH })).toMatchObject({
      kind: 'broken',
      reason: 'ECONNREFUSED',
      problem: { sentence: `fake: http://127.0.0.1:${free} cannot be reached: nothing listens there` },
    });
    const missing = { credentials: { kind: 'tokenFile' as const, file: '/nowhere/token' } };
    expect(await writerWith({}, missing).write({ method: 'DELETE', path: PATH })).toMatchObject({
      kind: 'unsent',
      problem: { kind: 'config', sentence: 'fake: the token /nowhere/token cannot be read (ENOENT)' },
    });
    expect(server.requests).toEqual([]);
  });

  it('describes a refusal without the credentials and without values of the object', async () => {
    const writer = writerWith({}, { credentials: { kind: 'token', token: TOKEN } });
    answering((request, response) =>
      answerStatus(response, 403, 'Forbidden', `pumps is forbidden for ${String(request.headers.authorization)}`),
    );
    const outcome = await writer.write({ method: 'POST', path: PATH, body: BODY });
    expect(outcome.kind === 'answered' && writer.refusal(PATH, outcome)).toEqual({
      kind: 'forbidden',
      sentence: 'fake: /apis/example.com/v1/namespaces/default/pumps: pumps is forbidden for Bearer … (403)',
    });
    const causes = ['a', 'b', 'b', 'c', 'd'].map((field) => ({ field: `spec.${field}`, message: 'Invalid value: "hidden"' }));
    const status = { kind: 'Status', reason: 'Invalid', message: 'spec.a: Invalid value: "hidden"', details: { causes } };
    expect(writer.refusal(PATH, { code: 422, body: Buffer.from(JSON.stringify(status)) }).sentence).toBe(
      'fake: /apis/example.com/v1/namespaces/default/pumps: the object is invalid at spec.a, spec.b, spec.c and 1 more (422)',
    );
    expect(writer.refusal(PATH, { code: 502, body: Buffer.from('<html>bad gateway</html>') }).sentence).toBe(
      'fake: /apis/example.com/v1/namespaces/default/pumps: the server answered (502)',
    );
  });
});
