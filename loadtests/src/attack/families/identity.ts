import type { Attack, Family, Target } from '../attack.ts';
import { ask, requestAttack, bytes, words } from '../send.ts';
import type { AttackRequest } from '../send.ts';

const KEYED = ['keyed'] as const;
const OPEN = ['embedded', 'fleet'] as const;
/** Allowed status codes for unknown credentials. After many failures, the service answers 429. */
const UNKNOWN = [401, 429] as const;
/**
 * Allowed status codes for paths that begin in the documentation, which needs no key, and lead out of it. The service may also refuse such
 * a path as malformed.
 */
const OUT_OF_DOCS = [400, ...UNKNOWN] as const;

const PATHS = words(`/metrics /evaluations/none /evaluations/none/results /evaluations/none/events /no/such/path
  /docs/../metrics //metrics /metrics/ /METRICS /livez/../metrics /docs-json/../metrics`);

const b64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Headers with credentials that do not authenticate a client. */
const CREDENTIALS: readonly (readonly [name: string, headers: Readonly<Record<string, string>>])[] = [
  ['nothing', {}],
  ['an empty token', { authorization: 'Bearer ' }],
  ['a wrong token', { authorization: 'Bearer token-of-nobody' }],
  ['a basic password', { authorization: `Basic ${Buffer.from('a:token-of-the-attacker').toString('base64')}` }],
  ['a token of 10 KB', { authorization: `Bearer ${'x'.repeat(10_000)}` }],
  ['two tokens', { authorization: 'Bearer token-of-the-attacker token-of-another' }],
  ['a token with a comma', { authorization: 'Bearer token-of-the-attacker,' }],
  ['a digest', { authorization: `Bearer ${'ab'.repeat(32)}` }],
  ['another header', { 'x-api-token': 'token-of-the-attacker' }],
  ['an empty key', { 'x-api-key': '' }],
  ['a forwarded user', { 'x-remote-user': 'canary', 'x-forwarded-user': 'canary', 'impersonate-user': 'canary' }],
  ['an unsigned token', { authorization: `Bearer ${b64({ alg: 'none' })}.${b64({ sub: 'root', exp: 2e9 })}.` }],
  ['a prototype', { authorization: 'Bearer __proto__' }],
];

/** Returns an attack that sends a request without the attacker's key. */
const unknown = (name: string, { headers, ...request }: AttackRequest, codes: readonly number[] = UNKNOWN): Attack =>
  requestAttack(name, { ...request, headers: { authorization: '', ...headers } }, codes, { shapes: KEYED });

/** Ids of evaluations that do not exist. */
const IDS = words(`none 00000000-0000-4000-8000-000000000000 .. %2e%2e * %00 '-- {assay} constructor %0d%0aX:y ${'a'.repeat(90)}
  -1 null undefined %F0%9F%92%A9`);

/** Returns an attack that begins an evaluation as a different client and then tries to read or end this evaluation as the attacker. */
const othersEvaluation = (name: string, method: string, suffix = ''): Attack => ({
  name,
  codes: [404],
  shapes: KEYED,
  send: async (target) => ask(target, { method, path: `${await begunByOther(target)}${suffix}` }),
});

async function begunByOther(target: Target): Promise<string> {
  const headers = { ...target.othersCredentials, 'content-type': 'application/json' };
  const { headers: answered } = await ask(target, { method: 'POST', path: '/evaluate?wait=0', headers, body: '{"objects":[{}]}' });
  return answered['location'] ?? '/not-begun';
}

/** Attack that guesses tokens. Every guess must be refused. A client with a valid token must still be served. */
const guessing: Attack = {
  name: '200 guesses',
  codes: UNKNOWN,
  shapes: KEYED,
  send: (target) =>
    Promise.all(Array.from({ length: 200 }, (_, i) => ask(target, { path: '/metrics', headers: { authorization: `Bearer guess-${i}` } }))),
};

/** Attack that announces a large body but sends no key. The service must refuse the request without waiting for the body. */
const unreadBody = bytes(
  'a body without a key is not waited for',
  'POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000000\r\n\r\n{',
  UNKNOWN,
  { ends: 'never', shapes: KEYED },
);

const HOSTS = [
  'a b',
  ...words(`evil.example 127.0.0.1.evil.example localhost.evil.example 10.0.0.1 [::2] localhost@evil.example 0x7f.1.evil 2130706433.evil`),
];
const SITES = [
  'Origin: http://evil.example',
  'Origin: null',
  'Origin: http://localhost.evil.example',
  'Sec-Fetch-Site: cross-site',
] as const;

/** Attacks on identity: without a key, with a wrong key, with another client's key, from another site's page. */
export const identity: Family = {
  name: 'identity',
  shapes: ['keyed', 'embedded', 'fleet'],
  attacks: () => [
    ...PATHS.map((path) => unknown(`no key: ${path}`, { path }, path.startsWith('/docs') ? OUT_OF_DOCS : UNKNOWN)),
    ...['/evaluate', '/definitions', '/explain', '/matrix', '/what-if'].map((path) =>
      unknown(`no key: POST ${path}`, { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: '{}' }),
    ),
    ...CREDENTIALS.map(([name, headers]) => unknown(`${name} as proof`, { path: '/evaluations/none', headers })),
    ...IDS.map((id) => requestAttack(`evaluation ${id.slice(0, 20)}`, { path: `/evaluations/${id}` }, [400, 404, 405])),
    ...IDS.map((id) =>
      requestAttack(`DELETE evaluation ${id.slice(0, 20)}`, { method: 'DELETE', path: `/evaluations/${id}` }, [400, 404, 405]),
    ),
    othersEvaluation("another's evaluation", 'GET'),
    othersEvaluation("another's results", 'GET', '/results'),
    othersEvaluation("another's events", 'GET', '/events'),
    othersEvaluation("another's evaluation is ended", 'DELETE'),
    requestAttack('metrics without the role', { path: '/metrics' }, [403], { shapes: KEYED }),
    guessing,
    unreadBody,
    ...HOSTS.map((host) => bytes(`Host ${host}`, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [400, 403], { shapes: OPEN })),
    ...SITES.map((line) => bytes(line, `GET /metrics HTTP/1.1\r\nHost: localhost\r\n${line}\r\n\r\n`, [403], { shapes: OPEN })),
    requestAttack(
      'a preflight',
      { method: 'OPTIONS', path: '/evaluate', headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' } },
      [401, 403, 404, 405, 429],
    ),
  ],
};
