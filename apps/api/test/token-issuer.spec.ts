import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { exportJWK, generateKeyPair } from 'jose';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Log } from '#telemetry';
import { authenticate } from '../src/access/authenticate.ts';
import { IssuerKeys } from '../src/access/issuer-keys.ts';
import { JsonWebTokens } from '../src/access/json-web-tokens.ts';
import { readApiConfig } from '../src/config.ts';
import { answerFailure } from '../src/status.filter.ts';

const AUDIENCE = 'assay';
const FAILURES_ALLOWED = 20;
const nothing = (): void => {};
const log: Log = { info: nothing, warn: nothing, error: nothing, fatal: nothing };
const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
const jwk = { ...(await exportJWK(publicKey)), kid: 'first', alg: 'ES256' };
const KEY_SET = JSON.stringify({ keys: [jwk] });
const REFUSED = 'http://127.0.0.1:1';

type Answer = (response: ServerResponse) => void;
const sends =
  (text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(text);
const WELL = sends(KEY_SET);

/** Issuer whose answers for the key set a test chooses, and an API route behind its tokens. */
class Tested {
  answer: Answer = WELL;
  reads = 0;
  ms = 1_000_000;
  readonly #server = createServer((_, response) => {
    this.reads++;
    this.answer(response);
  });
  #fastify: FastifyInstance | undefined;
  url = '';

  async start(keySetUrl?: string): Promise<this> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const config = readApiConfig({ ASSAY_JWT_ISSUER: this.url, ASSAY_JWT_AUDIENCE: AUDIENCE });
    const trusted = { issuer: this.url, audience: AUDIENCE, keySetUrl: keySetUrl?.replace('SELF', this.url.slice(7)) };
    const keys = new IssuerKeys(trusted, () => this.ms);
    const fastify = (this.#fastify = Fastify());
    fastify.setErrorHandler((error, request, reply) => answerFailure(error, request, reply, log));
    authenticate(fastify, config, [new JsonWebTokens(trusted, config, keys)], log);
    fastify.post('/evaluate', () => 'judged');
    await fastify.ready();
    return this;
  }

  async ask(token: string): Promise<{ code: number; retryAfter: unknown; text: string }> {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await this.#fastify?.inject({ method: 'POST', url: '/evaluate', headers });
    return { code: answer?.statusCode ?? 0, retryAfter: answer?.headers['retry-after'], text: answer?.body ?? '' };
  }

  async code(token: string): Promise<number> {
    return (await this.ask(token)).code;
  }

  /** Returns a token for the claims. A text contains all claims, and `ALL` in it is replaced by the valid claims. */
  token(claims: Readonly<Record<string, unknown>> | string = {}, kid = 'first'): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const valid = { iss: this.url, aud: AUDIENCE, sub: 'alice', exp: now + 300, iat: now };
    const text =
      typeof claims === 'string' ? claims.replace('ALL', JSON.stringify(valid).slice(1, -1)) : JSON.stringify({ ...valid, ...claims });
    return signed({ alg: 'ES256', kid }, text);
  }

  async stop(): Promise<void> {
    await this.#fastify?.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Returns a compact token (RFC 7515) for a header and a payload of any text. */
async function signed(header: object, payload: string): Promise<string> {
  const text = [JSON.stringify(header), payload].map((part) => Buffer.from(part).toString('base64url')).join('.');
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, new TextEncoder().encode(text));
  return `${text}.${Buffer.from(signature).toString('base64url')}`;
}

const manyKeys = (): string => JSON.stringify({ keys: Array.from({ length: 10_000 }, (_, i) => ({ ...jwk, kid: `k${i}` })).concat(jwk) });
const weak = { kty: 'RSA', kid: 'first', n: 'AQAB', e: 'AQAB', alg: 'ES256' };

describe('an issuer of tokens that fails', () => {
  const KEYS = 'http://SELF/keys';
  it.concurrent.each<readonly [string, Answer, string | undefined]>([
    ['a refused connection', WELL, REFUSED],
    ['a name that nobody knows', WELL, 'http://issuer.invalid/keys'],
    ['no TLS', WELL, 'https://SELF/keys'],
    ['a dropped connection', (response) => void response.destroy(), KEYS],
    ['status 500', sends('boom', 500), KEYS],
    ['status 503', sends('', 503), KEYS],
    ['status 404', sends(KEY_SET, 404), KEYS],
    ['status 204', sends('', 204), KEYS],
    ['a redirect', sends('', 302, { location: '/keys' }), KEYS],
    ['HTML', sends('<html>maintenance'), KEYS],
    ['an empty body', sends(''), KEYS],
    ['null', sends('null'), KEYS],
    ['a list', sends('[]'), KEYS],
    ['an object without keys', sends('{}'), KEYS],
    ['no key', sends('{"keys":[]}'), KEYS],
    ['keys that are no objects', sends('{"keys":[1]}'), KEYS],
    ['brackets', sends('['.repeat(100_000)), KEYS],
    ['a broken key', sends(JSON.stringify({ keys: [{ ...jwk, x: 'AA' }] })), KEYS],
    ['a key of another kind with its id', sends(JSON.stringify({ keys: [{ ...weak, kty: 'EC', crv: 'P-256' }] })), KEYS],
    ['two keys with the same id', sends(JSON.stringify({ keys: [jwk, jwk] })), KEYS],
    ['broken gzip', sends('nogzip', 200, { 'content-encoding': 'gzip' }), KEYS],
    [
      'a body that ends too early',
      (response) => void response.writeHead(200, { 'content-length': '9999' }).write(KEY_SET, () => response.destroy()),
      KEYS,
    ],
    ['more bytes than the limit', (response) => void response.end(manyKeys()), KEYS],
    ['no answer', nothing, KEYS],
    ['a body without an end', (response) => void response.writeHead(200).write(' '), KEYS],
    ['no discovery document', sends('<html>maintenance'), undefined],
    ['a discovery document without keys', sends('{}'), undefined],
    ['a discovery document with the address of a file', sends('{"jwks_uri":"file:///etc/passwd"}'), undefined],
    ['discovery with status 500', sends('', 500), undefined],
  ])(
    '%s: the service responds with 503, counts no failed authentication, and recovers',
    async (_, answer, keySetUrl) => {
      const tested = await new Tested().start(keySetUrl);
      tested.answer = answer;
      const token = await tested.token();
      const answers = await Promise.all(Array.from({ length: FAILURES_ALLOWED + 5 }, () => tested.ask(token)));
      for (const { code, retryAfter, text } of answers) {
        expect([code, retryAfter]).toEqual([503, '5']);
        expect(text).toContain('the issuer of tokens');
        expect(text).not.toContain('127.0.0.1');
      }
      expect(tested.reads).toBeLessThanOrEqual(1);
      if (keySetUrl === KEYS) {
        tested.answer = WELL;
        tested.ms += 30_001;
        expect(await tested.code(token)).toBe(200);
      }
      await tested.stop();
    },
    20_000,
  );
});

describe('signing keys of the issuer of tokens', () => {
  let tested: Tested;
  let token: string;
  beforeAll(async () => {
    tested = await new Tested().start('http://SELF/keys');
    token = await tested.token();
  });
  afterAll(() => tested.stop());

  it('are used for an hour while the issuer fails, and a token with an unknown key gets a 503', async () => {
    expect([await tested.code(token), tested.reads]).toEqual([200, 1]);
    tested.answer = sends('', 500);
    const unknown = await tested.token({}, 'second');
    expect([await tested.code(unknown), await tested.code(token), tested.reads]).toEqual([401, 200, 1]);
    tested.ms += 31_000;
    expect([await tested.code(unknown), await tested.code(unknown), await tested.code(token), tested.reads]).toEqual([503, 503, 200, 2]);
    tested.ms += 600_000;
    expect([await tested.code(token), await tested.code(token), await tested.code(unknown), tested.reads]).toEqual([200, 200, 503, 3]);
    tested.ms += 3_600_000;
    expect([await tested.code(token), await tested.code(token)]).toEqual([503, 503]);
    tested.answer = WELL;
    tested.ms += 31_000;
    expect([await tested.code(token), await tested.code(unknown)]).toEqual([200, 401]);
  });

  it.each<readonly [string, Readonly<Record<string, unknown>> | string]>([
    ['sub 5', { sub: 5 }],
    ['sub {}', { sub: {} }],
    ['sub null', { sub: null }],
    ['sub true', { sub: true }],
    ['sub ""', { sub: '' }],
    ['sub ["alice"]', { sub: ['alice'] }],
    ['sub with an unpaired surrogate', '{ALL,"sub":"\\ud800"}'],
    ['no sub', { sub: undefined }],
    ['exp as a text', { exp: '9999999999' }],
    ['exp null', { exp: null }],
    ['exp {}', { exp: {} }],
    ['exp true', { exp: true }],
    ['endless exp', '{ALL,"exp":1e999}'],
    ['no exp', { exp: undefined }],
    ['nbf as a text', { nbf: '0' }],
    ['nbf null', { nbf: null }],
    ['nbf before all time', '{ALL,"nbf":-1e999}'],
    ['iat as a text', { iat: 'x' }],
    ['iat null', { iat: null }],
    ['endless iat', '{ALL,"iat":1e999}'],
    ['iss in a list', { iss: ['http://127.0.0.1'] }],
    ['no iss', { iss: undefined }],
    ['aud in an object', { aud: { assay: 1 } }],
    ['aud in a list of a list', { aud: [[AUDIENCE]] }],
    ['no aud', { aud: undefined }],
    ['claims in a list', '[]'],
    ['claims that are a text', '"x"'],
    ['claims that are no JSON', '{'],
  ])('%s: the service rejects the token', async (_, claims) => {
    // Each case has its own client address, so that failures of other cases do not limit it.
    const own = await new Tested().start('http://SELF/keys');
    expect(await own.code(await own.token(claims))).toBe(401);
    await own.stop();
  });
});
