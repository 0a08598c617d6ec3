import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey } from 'jose';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceTelemetry } from '#telemetry';
import type { Log } from '#telemetry';
import { keysFile, sha256 } from './keys-file.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

const AUDIENCE = 'assay';
const logged: string[] = [];
const note = (fields: object, message: string): void => void logged.push(`${message} ${JSON.stringify(fields)}`);
const log: Log = { info: note, warn: note, error: note, fatal: note };
const batch = JSON.stringify({ definitions: [widgets], objects: [widget('a', [1])] });

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const ask = async (url: string, token: string, path = '/evaluations/none'): Promise<number> => {
  const response = await fetch(`${url}${path}`, { headers: bearer(token) });
  await response.text();
  return response.status;
};
/** Starts an evaluation with a token and returns the path of the evaluation. */
async function begun(url: string, token: string): Promise<string> {
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  const response = await fetch(`${url}/evaluate?wait=0`, { method: 'POST', headers, body: batch });
  expect(response.status).toBe(202);
  return response.headers.get('location') ?? '';
}

/** Test issuer of tokens on loopback. It serves discovery and a key set, and signs tokens. */
class LocalIssuer {
  readonly #server: Server;
  readonly url: string;
  readonly #keys: object[] = [];
  readonly #signing = new Map<string, CryptoKey>();
  /** Number of requests for the key set so far. */
  reads = 0;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', ({ url }: { readonly url?: string }, response: { end: (text: string) => void }) => {
      if (url === '/keys') this.reads++;
      response.end(JSON.stringify(url === '/keys' ? { keys: this.#keys } : { issuer: this.url, jwks_uri: `${this.url}/keys` }));
    });
  }

  static async start(): Promise<LocalIssuer> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new LocalIssuer(server);
  }

  async addKey(kid: string): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    this.#keys.push({ ...(await exportJWK(publicKey)), kid, alg: 'ES256' });
    this.#signing.set(kid, privateKey);
  }

  token(
    claims: Readonly<Record<string, unknown>>,
    { kid = 'first', issuer = this.url, audience = AUDIENCE, expires = '5m' } = {},
  ): Promise<string> {
    const key = this.#signing.get(kid);
    if (!key) throw new Error(`no key ${kid}`);
    const jwt = new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid }).setIssuer(issuer).setAudience(audience);
    return jwt.setIssuedAt().setExpirationTime(expires).sign(key);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('a token of an issuer', () => {
  let issuer: LocalIssuer;
  let app: NestFastifyApplication;
  let url: string;
  beforeAll(async () => {
    issuer = await LocalIssuer.start();
    await issuer.addKey('first');
    const keys = keysFile([{ name: 'alpha', sha256: sha256('token-alpha') }]);
    const settings = { ASSAY_JWT_ISSUER: issuer.url, ASSAY_JWT_AUDIENCE: AUDIENCE, ASSAY_KEYS_FILE: keys };
    ({ app, url } = await startApi(settings, await serviceTelemetry(log)));
  });
  afterAll(async () => {
    await app.close();
    issuer.stop();
  });

  it('names the client that owns the evaluations', async () => {
    const path = await begun(url, await issuer.token({ sub: 'carol' }));
    expect(await ask(url, await issuer.token({ sub: 'carol' }), path)).toBe(200);
    expect(await ask(url, await issuer.token({ sub: 'dave' }), path)).toBe(404);
    expect(await ask(url, 'token-alpha', path)).toBe(404);
    expect(await ask(url, await issuer.token({ sub: 'root', roles: ['operate'] }), path)).toBe(200);
  });
  it('gives the roles that it contains', async () => {
    expect(await ask(url, await issuer.token({ sub: 'carol' }), '/metrics')).toBe(403);
    expect(await ask(url, await issuer.token({ sub: 'prometheus', roles: ['scrape', 'cook'] }), '/metrics')).toBe(200);
    expect(await ask(url, await issuer.token({ sub: 'prometheus', roles: ['scrape'] }))).toBe(403);
    expect(await ask(url, await issuer.token({ sub: 'nobody', roles: 'evaluate' }))).toBe(403);
  });
  it.each([
    ['another audience', { audience: 'others' }],
    ['another issuer', { issuer: 'http://127.0.0.1:1' }],
    ['a time that is over', { expires: '-5m' }],
  ])('is rejected if it is for %s', async (_, settings) => {
    expect(await ask(url, await issuer.token({ sub: 'carol' }, settings))).toBe(401);
  });
  it('is rejected without a signature, or with changed claims', async () => {
    const [head = '', , signature = ''] = (await issuer.token({ sub: 'carol' })).split('.');
    const claims = Buffer.from(JSON.stringify({ iss: issuer.url, aud: AUDIENCE, sub: 'root', exp: 2e9 })).toString('base64url');
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const token of [`${head}.${claims}.${signature}`, `${unsigned}.${claims}.${signature}`]) expect(await ask(url, token)).toBe(401);
  });
  it('does not replace access keys: a known key gives access, and an unknown key gets a 401', async () => {
    expect(await ask(url, 'token-alpha')).toBe(404);
    expect(await ask(url, 'token-unknown')).toBe(401);
  });
  it('gets a 503, not a 401, if the issuer does not respond', async () => {
    const away = await startApi({ ASSAY_JWT_ISSUER: 'http://127.0.0.1:1', ASSAY_JWT_AUDIENCE: AUDIENCE }, await serviceTelemetry(log));
    const response = await fetch(`${away.url}/evaluations/none`, { headers: bearer(await issuer.token({ sub: 'carol' })) });
    await away.app.close();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  });
});

describe('an access key', () => {
  const alpha = { name: 'alpha', sha256: sha256('token-alpha') };
  it('expires', async () => {
    const keys = [
      { ...alpha, expires: '2001-01-01T00:00:00Z' },
      { name: 'beta', sha256: sha256('token-beta'), expires: '2999-01-01T00:00:00Z' },
    ];
    const { app, url } = await startApi({ ASSAY_KEYS_FILE: keysFile(keys) }, await serviceTelemetry(log));
    expect([await ask(url, 'token-alpha'), await ask(url, 'token-beta')]).toEqual([401, 404]);
    await app.close();
    expect(logged.join('\n')).toContain('the key of alpha has expired');
  });
  it('is read again after a change of its file, but an invalid file changes nothing', async () => {
    const file = keysFile([alpha]);
    const { app, url } = await startApi({ ASSAY_KEYS_FILE: file, ASSAY_RELOAD_MS: '20' }, await serviceTelemetry(log));
    expect(await ask(url, 'token-alpha')).toBe(404);
    writeFileSync(file, '{');
    while (!logged.some((line) => line.startsWith('the access keys stay as they were'))) await new Promise((soon) => setTimeout(soon, 10));
    expect(await ask(url, 'token-alpha')).toBe(404);
    writeFileSync(file, JSON.stringify([{ ...alpha, name: 'gamma', sha256: sha256('token-gamma') }]));
    // The service allows each address only a few rejected requests, so the test waits for the log instead of sending requests.
    while (!logged.some((line) => line.startsWith('access keys were read again'))) await new Promise((soon) => setTimeout(soon, 10));
    expect(await ask(url, 'token-gamma')).toBe(404);
    expect(await ask(url, 'token-alpha')).toBe(401);
    await app.close();
  });
  it.each([
    ['another rate', { requestsPerSecond: 1000, burst: 1000 }],
    ['no rate', {}],
  ])('that reached its rate gives access again after its file changes to %s', async (_, rate) => {
    const reported = logged.length;
    const file = keysFile([{ ...alpha, requestsPerSecond: 0.001, burst: 1 }]);
    const { app, url } = await startApi({ ASSAY_KEYS_FILE: file, ASSAY_RELOAD_MS: '20' }, await serviceTelemetry(log));
    expect([await ask(url, 'token-alpha'), await ask(url, 'token-alpha')]).toEqual([404, 429]);
    writeFileSync(file, JSON.stringify([{ ...alpha, ...rate }]));
    while (!logged.slice(reported).some((line) => line.startsWith('access keys were read again')))
      await new Promise((soon) => setTimeout(soon, 10));
    expect(await ask(url, 'token-alpha')).toBe(404);
    await app.close();
  });
  it('that is wrong leads to a 429 after 20 failures, without filling the log, and without effect on valid clients', async () => {
    const { app, url } = await startApi({ ASSAY_KEYS_FILE: keysFile([alpha]) }, await serviceTelemetry(log));
    const before = logged.length;
    const codes: number[] = [];
    for (let i = 0; i < 30; i++) codes.push(await ask(url, `guess-${i}`));
    expect(codes.slice(0, 20).every((code) => code === 401)).toBe(true);
    expect(codes).toContain(429);
    expect(await ask(url, 'token-alpha')).toBe(404);
    await app.close();
    const failures = logged.slice(before).filter((line) => line.startsWith('authentication failed'));
    expect(failures).toHaveLength(codes.filter((code) => code === 401).length);
    expect(failures.join()).not.toContain('guess');
  });
});
