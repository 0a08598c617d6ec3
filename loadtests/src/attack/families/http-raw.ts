import type { Attack, Family } from '../attack.ts';
import type { Random } from '../random.ts';
import { tablesOf, written } from '../input-tables.ts';
import { requestAttack, bytes } from '../send.ts';

const TABLES = tablesOf('http-raw');
/** Valid requests in which the attack changes random bytes. */
const MUTATED = TABLES.texts('mutated');

/** Attacks that send the requests of the input tables as raw bytes. */
const WRITTEN = ['lines', 'headers', 'lengths'].flatMap((table) =>
  TABLES.rows(table).map(({ name, text, codes = [], ends, isLong }) =>
    bytes(name, written(text), codes, { ends, ...(isLong && { isLong }) }),
  ),
);

const lookup = (path: string): Attack =>
  bytes(`GET ${path.slice(0, 60)}`, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCREDENTIALS\r\n\r\n`, [400, 401, 404, 405]);

/** Returns a request in which some bytes are changed, removed or doubled. */
function mutated(random: Random): string {
  let text = random.of(MUTATED);
  for (let changes = 1 + random.below(6); changes > 0; changes--) {
    const at = random.below(text.length);
    const part = text.slice(at, at + 1 + random.below(12));
    const put = random.of(['', part + part, String.fromCharCode(random.below(256)), '\r\n', '\n', ': ', '\0', '%', 'chunked', '-1']);
    text = text.slice(0, at) + put + text.slice(at + part.length);
  }
  return text;
}

/** Allowed status codes for a request without a clear meaning. 0 means that the service closes the connection without an answer. */
const ANY_CODE = [0, 200, 202, 400, 401, 403, 404, 405, 406, 408, 413, 415, 417, 431];

/** Attacks with HTTP that no normal client sends, written directly to a socket. */
export const httpRaw: Family = {
  name: 'http-raw',
  shapes: ['embedded', 'keyed', 'fleet'],
  attacks: (random) => [
    ...WRITTEN,
    ...TABLES.texts('paths').map(lookup),
    ...['GET', 'PUT', 'DELETE', 'PATCH'].map((method) => requestAttack(`${method} /evaluate`, { method, path: '/evaluate' }, [405])),
    ...random.some(60, (i) => bytes(`mutated request ${i + 1}`, mutated(random), ANY_CODE)),
  ],
};
