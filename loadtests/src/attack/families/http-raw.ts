import type { Attack, Family } from '../attack.ts';
import type { Random } from '../random.ts';
import { asked, bytes, words } from '../send.ts';

const HEAD = 'Host: localhost\r\nCREDENTIALS\r\n';
const JSON_HEAD = `${HEAD}Content-Type: application/json\r\n`;
const BATCH = '{"definitions":[],"objects":[{}]}';
const post = (headers: string, body: string, version = '1.1'): string =>
  `POST /evaluate HTTP/${version}\r\n${JSON_HEAD}${headers}\r\n${body}`;
const chunked = (body: string, coding = 'chunked'): string => post(`Transfer-Encoding: ${coding}\r\n`, body);
/** A request without a body: its line, and headers beside those that every request has. */
const request = (line: string, headers = ''): string => `${line}\r\n${HEAD}${headers}\r\n`;
const livez = (headers?: string): string => request('GET /livez HTTP/1.1', headers);
const whole = post(`Content-Length: ${BATCH.length}\r\n`, BATCH);

/** Request lines and connections that HTTP does not know. */
const LINES: readonly Attack[] = [
  bytes('HTTP/0.9', 'GET /livez\r\n\r\n', [200, 400]),
  bytes('HTTP/1.0', request('GET /livez HTTP/1.0'), [200]),
  bytes('HTTP/3.7', request('GET /livez HTTP/3.7'), [400]),
  bytes('HTTP/9.9', request('GET / HTTP/9.9'), [400]),
  bytes('an absolute URI', request('GET http://localhost/livez HTTP/1.1'), [200, 404]),
  bytes('an absolute URI of another host', request('GET http://evil.example/evaluate HTTP/1.1'), [404, 405]),
  bytes('CONNECT', request('CONNECT localhost:80 HTTP/1.1'), [0, 400, 404]),
  bytes('OPTIONS *', request('OPTIONS * HTTP/1.1'), [400, 404]),
  bytes('TRACE', request('TRACE /evaluate HTTP/1.1'), [400, 404, 405]),
  bytes('an unknown method', request('BREW / HTTP/1.1'), [400]),
  bytes('a method in small letters', request('get /livez HTTP/1.1'), [400]),
  bytes('random bytes', '\u0001\u0002\u0003\u00ff\u00fe\r\n\r\n', [400]),
  bytes('a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]),
  bytes('an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]),
  bytes('nothing', '', [0, 408]),
  bytes('blank lines', '\r\n\r\n\r\n', [0, 400]),
  bytes('half a request line', 'GET /liv', [400]),
  bytes('a long path', request(`GET /${'y'.repeat(60_000)} HTTP/1.1`), [431]),
  bytes('NUL in the path', request('GET /livez\0 HTTP/1.1'), [400]),
  bytes('bytes above ASCII in the path', request('GET /\xff\xfe HTTP/1.1'), [400, 404]),
  bytes('bare line feeds', 'GET /livez HTTP/1.1\nHost: localhost\n\n', [200, 400]),
  bytes('a second space', request('GET  /livez HTTP/1.1'), [200, 400, 404]),
  bytes('five requests at once', livez().repeat(5), [200]),
  // Its client has left, as far as anybody can tell: what it asked for is cancelled.
  bytes('a half-closed request', whole, [0, 200], { ends: 'at once' }),
  bytes('h2c', livez('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'), [200, 400, 404]),
  bytes('a websocket', livez('Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n'), [200, 400, 404]),
];

/** Headers that contradict themselves or are without end. */
const HEADERS: readonly Attack[] = [
  bytes('no Host', `GET /livez HTTP/1.1\r\n\r\n`, [400]),
  bytes('two Hosts', request('GET /livez HTTP/1.1\r\nHost: localhost'), [400]),
  // Where keys are asked for, a Host proves nothing and is not looked at.
  bytes('an empty Host', `GET /livez HTTP/1.1\r\nHost:\r\n\r\n`, [200, 400, 403]),
  bytes('a header of 100 KB', livez(`x: ${'y'.repeat(100_000)}\r\n`), [431]),
  bytes('5,000 headers', livez('a: b\r\n'.repeat(5000)), [200, 431]),
  bytes('a space before the colon', livez('X : y\r\n'), [400]),
  bytes('a folded header', livez('X: y\r\n z\r\n'), [200, 400]),
  bytes('NUL in a header', livez('X: \0\r\n'), [400]),
  bytes('a carriage return alone', livez('X: a\rY: b\r\n'), [400]),
  bytes('an unknown expectation', post('Expect: coffee\r\nContent-Length: 2\r\n', '{}'), [417]),
  bytes('100-continue', post(`Expect: 100-continue\r\nContent-Length: ${BATCH.length}\r\n`, BATCH), [200]),
  bytes('100-continue and 65 MB', post('Expect: 100-continue\r\nContent-Length: 68157441\r\n', ''), [413]),
  bytes('a request id of markup', `GET /nothing HTTP/1.1\r\n${HEAD}X-Request-Id: <script>alert(1)</script>\r\n\r\n`, [401, 404]),
  bytes('a traceparent of garbage', livez(`traceparent: 00-zz-zz-zz\r\ntracestate: ${'a=b,'.repeat(500)}\r\n`), [200]),
];

/** Bodies whose length is in doubt. */
const LENGTHS: readonly Attack[] = [
  bytes('a shorter body', post('Content-Length: 500\r\n', BATCH), [400]),
  bytes('a shorter body, and the client stays', post('Content-Length: 500\r\n', BATCH), [408], { ends: 'never', isLong: true }),
  bytes('a longer body', post('Content-Length: 2\r\n', BATCH), [400]),
  bytes('a negative length', post('Content-Length: -1\r\n', BATCH), [400]),
  bytes('a length that is no number', post('Content-Length: 1e3\r\n', BATCH), [400]),
  bytes('a length beyond 64 bits', post('Content-Length: 99999999999999999999\r\n', BATCH), [400, 413]),
  bytes('a length of many petabytes', post('Content-Length: 9007199254740991\r\n', BATCH), [413]),
  bytes('two lengths', post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'), [400]),
  bytes('the same length twice', post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'), [400]),
  bytes('a list of lengths', post('Content-Length: 2, 2\r\n', '{}'), [400]),
  bytes('a length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), [400]),
  bytes('chunks', chunked(`${BATCH.length.toString(16)}\r\n${BATCH}\r\n0\r\n\r\n`), [200]),
  bytes('a bad chunk', chunked('zz\r\n'), [400]),
  bytes('a huge chunk size', chunked(`ffffffffffffffffff\r\n${BATCH}`), [400, 413]),
  bytes('a chunk that never ends', chunked('ffffff\r\n{'), [408], { ends: 'never', isLong: true }),
  bytes('chunks without an end', chunked(`${BATCH.length.toString(16)}\r\n${BATCH}\r\n`), [400]),
  bytes('a chunk with a long extension', chunked(`2;${'a'.repeat(200_000)}\r\n{}\r\n0\r\n\r\n`), [400, 413, 431]),
  bytes('trailers', chunked(`2\r\n{}\r\n0\r\nHost: evil.example\r\nX: y\r\n\r\n`), [400]),
  bytes('chunks of one byte', chunked(`${[...BATCH].map((one) => `1\r\n${one}\r\n`).join('')}0\r\n\r\n`), [200]),
  bytes('chunks in another coding', chunked('0\r\n\r\n', 'gzip'), [400]),
  bytes('chunks, obscured', chunked('0\r\n\r\n', 'xchunked'), [400]),
  bytes('chunks under HTTP/1.0', post('Transfer-Encoding: chunked\r\n', '0\r\n\r\n', '1.0'), [400]),
  bytes('a smuggled request', post('Content-Length: 4\r\nTransfer-Encoding : chunked\r\n', '1\r\nZ\r\nQ'), [400]),
  bytes('65 MB are announced', post('Content-Length: 68157441\r\n', '{'), [413]),
  bytes('a body with GET', `GET /livez HTTP/1.1\r\n${JSON_HEAD}Content-Length: 2\r\n\r\n{}`, [200, 400]),
];

/** Paths that lead elsewhere, or nowhere. */
const PATHS =
  words(`/docs/../../etc/passwd /docs/%2e%2e/%2e%2e/package.json /docs/..%2f..%2fpackage.json /docs/static/..%5c..%5cpackage.json
  //evil.example/livez /evaluations/%00 /evaluations/% /evaluations/%zz /evaluations/%c0%ae /evaluations/%F0%9F%92%A9
  /evaluations/..%2f..%2flivez /evaluations/%0d%0aSet-Cookie:%20a=b /evaluations/'%20or%201=1-- /evaluations/__proto__
  /evaluations/constructor/results /evaluations/{assay}:queue /evaluations/${'a'.repeat(3000)} /evaluate/%2e%2e/metrics
  /EVALUATE /evaluate/ /livez;a=b/x /.git/config /.env /%`);

/** A request with some of its bytes changed, taken out or doubled. */
function mutated(random: Random): string {
  let text = random.of([whole, chunked(`2\r\n{}\r\n0\r\n\r\n`), livez('Accept: */*\r\n')]);
  for (let changes = 1 + random.below(6); changes > 0; changes--) {
    const at = random.below(text.length);
    const part = text.slice(at, at + 1 + random.below(12));
    const put = random.of(['', part + part, String.fromCharCode(random.below(256)), '\r\n', '\n', ': ', '\0', '%', 'chunked', '-1']);
    text = text.slice(0, at) + put + text.slice(at + part.length);
  }
  return text;
}

/** What may become of a request of which nobody knows what it says. */
const ANY_CODE = [0, 200, 202, 400, 401, 403, 404, 405, 406, 408, 413, 415, 417, 431];

/** HTTP as no client writes it, on a socket. */
export const httpRaw: Family = {
  name: 'http-raw',
  shapes: ['embedded', 'keyed', 'fleet'],
  attacks: (random) => [
    ...LINES,
    ...HEADERS,
    ...LENGTHS,
    ...PATHS.map((path) => bytes(`GET ${path.slice(0, 60)}`, request(`GET ${path} HTTP/1.1`), [400, 401, 404, 405])),
    ...['GET', 'PUT', 'DELETE', 'PATCH'].map((method) => asked(`${method} /evaluate`, { method, path: '/evaluate' }, [405])),
    ...random.some(60, (i) => bytes(`mutated request ${i + 1}`, mutated(random), ANY_CODE)),
  ],
};
