import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { Agent, request } from 'node:https';
import type { AgentOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canSign, selfSigned as signedIn } from '../../../testing/self-signed.ts';
import type { KeyFiles } from '../../../testing/self-signed.ts';
import { readApiConfig } from '../src/config.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-tls-'));
const at = (name: string): string => join(folder, name);
const selfSigned = (name: string, subject?: string): KeyFiles => signedIn(folder, name, subject);

/** Requests a path over TLS, by default the readiness probe, and returns status, headers and body. Rejects if the TLS handshake fails. */
function probe(
  url: string,
  options: AgentOptions,
  path = '/readyz',
): Promise<{ code: number | undefined; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    const requested = request(`${url}${path}`, { agent: new Agent(options) }, (response) => {
      let body = '';
      response.on('data', (bytes: Buffer) => (body += bytes.toString()));
      response.on('end', () => resolve({ code: response.statusCode, headers: response.headers, body }));
      response.on('error', reject);
    });
    requested.on('error', reject).end();
  });
}

/** Sends a POST request over an HTTP/2 session and returns the answer. */
function over(session: ClientHttp2Session, path: string, type: string, body: string): Promise<{ code: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': type });
    let text = '';
    let code: number | undefined;
    stream.on('response', (headers) => (code = headers[':status']));
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    stream.on('end', () => resolve({ code, body: text })).on('error', reject);
    stream.end(body);
  });
}

describe.skipIf(!canSign)('a service with TLS', () => {
  it('accepts only HTTPS, and sends the header after which browsers use only HTTPS', async () => {
    const { key, cert } = selfSigned('server');
    const { app, url } = await startApi({ ASSAY_TLS_CERT_FILE: cert, ASSAY_TLS_KEY_FILE: key });
    try {
      expect(url).toMatch(/^https:/);
      const ca = readFileSync(cert);
      const ready = await probe(url, { ca });
      expect([ready.code, ready.body]).toEqual([200, 'ok']);
      expect(ready.headers).toMatchObject({ 'strict-transport-security': 'max-age=31536000', 'x-content-type-options': 'nosniff' });
      await expect(probe(url, {})).rejects.toThrow(/self-signed certificate/);
      await expect(probe(url, { ca, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })).rejects.toThrow();
      await expect(fetch(`${url.replace('https:', 'http:')}/readyz`)).rejects.toThrow();
    } finally {
      await app.close();
    }
  });

  it('requires client certificates if a certificate authority is configured', async () => {
    const server = selfSigned('named');
    const [known, stranger] = [selfSigned('known'), selfSigned('stranger')];
    const { app, url } = await startApi({
      ASSAY_TLS_CERT_FILE: server.cert,
      ASSAY_TLS_KEY_FILE: server.key,
      ASSAY_TLS_CLIENT_CA_FILE: known.cert,
    });
    try {
      const ca = readFileSync(server.cert);
      const as = ({ key, cert }: { key: string; cert: string }) => ({ ca, key: readFileSync(key), cert: readFileSync(cert) });
      expect((await probe(url, as(known))).code).toBe(200);
      await expect(probe(url, as(stranger))).rejects.toThrow();
      await expect(probe(url, { ca })).rejects.toThrow();
    } finally {
      await app.close();
    }
  });

  it("reads the client's name and roles from the client's certificate", async () => {
    const server = selfSigned('named-server');
    const operator = selfSigned('operator', '/CN=carol/O=assay:evaluate/O=assay:operate');
    const { app, url } = await startApi({
      ASSAY_TLS_CERT_FILE: server.cert,
      ASSAY_TLS_KEY_FILE: server.key,
      ASSAY_TLS_CLIENT_CA_FILE: operator.cert,
      ASSAY_TLS_CLIENT_NAMES: 'true',
    });
    const options = { ca: readFileSync(server.cert), key: readFileSync(operator.key), cert: readFileSync(operator.cert) };
    try {
      expect((await probe(url, options, '/evaluations/none')).code).toBe(404);
      expect((await probe(url, options, '/metrics')).code).toBe(403);
    } finally {
      await app.close();
    }
  });

  it('supports HTTP/2', async () => {
    const { key, cert } = selfSigned('h2');
    const { app, url } = await startApi({ ASSAY_TLS_CERT_FILE: cert, ASSAY_TLS_KEY_FILE: key });
    const session = connectHttp2(url, { ca: readFileSync(cert) });
    try {
      const batch = JSON.stringify({ definitions: [widgets], objects: [widget('a', [1])] });
      const [answer, stream, wrong] = await Promise.all([
        over(session, '/evaluate', 'application/json', batch),
        over(
          session,
          '/evaluate',
          'application/x-ndjson',
          `${JSON.stringify({ definitions: [widgets] })}\n${JSON.stringify(widget('a', [1]))}\n`,
        ),
        over(session, '/evaluate', 'text/plain', 'x'),
      ]);
      expect(answer).toMatchObject({ code: 200, body: expect.stringContaining('"accepted":1') });
      expect(stream).toMatchObject({ code: 200, body: expect.stringContaining('"accepted":1') });
      expect(wrong).toMatchObject({ code: 415, body: expect.stringContaining('"kind":"Status"') });
    } finally {
      session.close();
      await app.close();
    }
  });

  it('reads its certificate again after the file changes', async () => {
    const [first, second] = [selfSigned('first'), selfSigned('second')];
    const files = { cert: at('served.crt'), key: at('served.key') };
    const serve = ({ cert, key }: { cert: string; key: string }): void => {
      writeFileSync(files.key, readFileSync(key));
      writeFileSync(files.cert, readFileSync(cert));
    };
    serve(first);
    const { app, url } = await startApi({ ASSAY_TLS_CERT_FILE: files.cert, ASSAY_TLS_KEY_FILE: files.key, ASSAY_RELOAD_MS: '20' });
    try {
      expect((await probe(url, { ca: readFileSync(first.cert) })).code).toBe(200);
      serve(second);
      const ca = readFileSync(second.cert);
      while ((await probe(url, { ca }).catch(() => undefined))?.code !== 200);
      await expect(probe(url, { ca: readFileSync(first.cert) })).rejects.toThrow();
    } finally {
      await app.close();
    }
  });

  it('does not start if its key does not match its certificate', () => {
    const [one, other] = [selfSigned('one'), selfSigned('other')];
    expect(() => readApiConfig({ ASSAY_TLS_CERT_FILE: one.cert, ASSAY_TLS_KEY_FILE: other.key })).toThrow(/not a certificate and its key/);
  });
});

describe('TLS files that prevent the start:', () => {
  it.each([
    ['a certificate alone', { ASSAY_TLS_CERT_FILE: at('any.crt') }, /go together/],
    ['a key alone', { ASSAY_TLS_KEY_FILE: at('any.key') }, /go together/],
    ['an authority alone', { ASSAY_TLS_CLIENT_CA_FILE: at('any.crt') }, /go together/],
    [
      'a missing file',
      { ASSAY_TLS_CERT_FILE: at('none.crt'), ASSAY_TLS_KEY_FILE: at('none.key') },
      /ASSAY_TLS_CERT_FILE: .* cannot be read/,
    ],
  ])('%s', (_, variables, message) => {
    expect(() => readApiConfig(variables)).toThrow(message);
  });

  it('a file without PEM content', () => {
    writeFileSync(at('text'), 'text');
    expect(() => readApiConfig({ ASSAY_TLS_CERT_FILE: at('text'), ASSAY_TLS_KEY_FILE: at('text') })).toThrow(
      /not a certificate and its key/,
    );
  });
});
