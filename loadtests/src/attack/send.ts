import { request } from 'node:http';
import { connect } from 'node:net';
import type { Answer, Attack, Target } from './attack.ts';

/**
 * Local address of the attackers. In a service without keys, this address separates the attackers' flow from the canary's flow. The canary
 * is a client that checks the service.
 */
export const ATTACKERS_ADDRESS = '127.0.9.9';
const HOST = '127.0.0.1';
/** Longest time in ms that an attacker waits for an answer. It is longer than the deadline of every attack. */
const PATIENCE_MS = 45_000;
/** Maximum number of bytes kept from the beginning of an answer. The same number is kept from its end. */
const KEPT_BYTES = 512 * 1024;

/**
 * Time in ms without received data after which an attacker ends its side of a socket. `SILENT_MS` applies before the first data,
 * `ANSWERED_MS` after data was received.
 */
const SILENT_MS = 600;
const ANSWERED_MS = 60;

/** Request that is sent with a normal HTTP client. */
export interface AttackRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Body of the request, or a function that creates the body when the request is sent. Large bodies need the function. */
  readonly body?: Body | (() => Body);
}

type Body = Buffer | string;

/** Sends a request over a new connection. Uses the attacker's credentials unless `headers` contains credentials. */
export function ask({ port, credentials }: Target, { method = 'GET', path, headers = {}, body }: AttackRequest): Promise<Answer> {
  return new Promise((resolve) => {
    const from = { host: HOST, port, localAddress: ATTACKERS_ADDRESS, agent: false as const };
    const clientRequest = request({ ...from, method, path, headers: { ...credentials, ...headers } as Record<string, string | string[]> });
    const late = setTimeout(() => end(nothing(-1)), PATIENCE_MS);
    let isAnswered = false;
    const end = (answer: Answer): void => {
      clearTimeout(late);
      clientRequest.destroy();
      resolve(answer);
    };
    clientRequest.on('error', () => isAnswered || end(nothing(0)));
    clientRequest.on('response', (response) => {
      isAnswered = true;
      const kept = new KeptBytes();
      const answered = (): void => end({ code: response.statusCode ?? 0, headers: plain(response.headers), ...kept.text() });
      response.on('data', (block: Buffer) => kept.add(block));
      response.once('end', answered).once('error', answered);
    });
    clientRequest.end(typeof body === 'function' ? body() : body);
  });
}

/** Options for sending raw bytes. */
export interface RawOptions {
  /**
   * Time at which the attacker ends its side of the connection: never, or at once after sending. If undefined, the attacker ends it when no
   * more data arrives.
   */
  readonly ends?: 'never' | 'at once' | undefined;
}

/** Sends bytes unchanged over a new connection, and returns the first answer. The answer has the code -1 if nothing arrives in time. */
export async function sendBytes({ port }: Target, bytes: string, ends?: RawOptions['ends']): Promise<Answer> {
  const kept = new KeptBytes();
  const socket = connect({ port, host: HOST, localAddress: ATTACKERS_ADDRESS, allowHalfOpen: true });
  let quiet: NodeJS.Timeout | undefined;
  const endAfter = (ms: number): void => {
    clearTimeout(quiet);
    // A server takes a closed sending side for a disconnected client. So a client that waits for an answer keeps its sending side open.
    if (ends === undefined) quiet = setTimeout(() => socket.end(), ms);
  };
  const closed = new Promise<boolean>((resolve) => {
    const late = setTimeout(() => {
      socket.destroy();
      resolve(false);
    }, PATIENCE_MS);
    socket
      .on('error', () => undefined)
      .on('data', (block: Buffer) => {
        kept.add(block);
        endAfter(ANSWERED_MS);
      });
    socket.once('end', () => socket.end());
    socket.once('close', () => {
      for (const timer of [late, quiet]) clearTimeout(timer);
      resolve(true);
    });
  });
  socket.write(Buffer.from(bytes, 'latin1'));
  if (ends === 'at once') socket.end();
  endAfter(SILENT_MS);
  return (await closed) || kept.length > 0 ? answerIn(kept.text()) : nothing(-1);
}

/** Parses the first HTTP answer in the bytes of a connection. */
function answerIn({ body: text, isCut }: Pick<Answer, 'body' | 'isCut'>): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const code = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
  if (code === 100) return answerIn({ body: rest.join('\r\n\r\n'), isCut });
  const headers = Object.fromEntries(lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]));
  const body = rest.join('\r\n\r\n');
  const length = Number(headers['content-length'] ?? body.length);
  return { code, headers, body: body.slice(0, length), isCut };
}

const nothing = (code: number): Answer => ({ code, headers: {}, body: '', isCut: false });
const plain = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

class KeptBytes {
  length = 0;
  #first: Buffer[] = [];
  #firstBytes = 0;
  #last = Buffer.alloc(0);

  add(block: Buffer): void {
    this.length += block.length;
    if (this.#firstBytes < KEPT_BYTES) {
      this.#first.push(block);
      this.#firstBytes += block.length;
    } else this.#last = Buffer.concat([this.#last, block]).subarray(-KEPT_BYTES);
  }

  text(): Pick<Answer, 'body' | 'isCut'> {
    const isCut = this.length > this.#firstBytes + this.#last.length;
    return { body: Buffer.concat([...this.#first, this.#last]).toString(), isCut };
  }
}

/** Media types of bodies. */
export const TYPES = { json: 'application/json', yaml: 'application/yaml', ndjson: 'application/x-ndjson' } as const;

/** Properties of an attack in addition to its correct status codes. */
export type Expected = Pick<Attack, 'says' | 'isLong' | 'shapes'>;

/** Returns an attack that sends a request. */
export const requestAttack = (name: string, request: AttackRequest, codes: readonly number[], expected: Expected = {}): Attack => ({
  name,
  codes,
  ...expected,
  send: (target) => ask(target, request),
});

/** Returns an attack that posts a body. */
export const posted = (
  name: string,
  path: string,
  [notation, body]: readonly [keyof typeof TYPES, NonNullable<AttackRequest['body']>],
  codes: readonly number[],
  expected: Expected = {},
): Attack => requestAttack(name, { method: 'POST', path, headers: { 'content-type': TYPES[notation] }, body }, codes, expected);

/** Returns an attack that posts a batch with the given headers. The body is JSON unless `headers` contain another content type. */
export const headed = (name: string, headers: NonNullable<AttackRequest['headers']>, codes: readonly number[], body: Body): Attack =>
  requestAttack(name, { method: 'POST', path: '/evaluate', headers: { 'content-type': TYPES.json, ...headers }, body }, codes);

/** Returns an attack that sends raw bytes. `CREDENTIALS` in `text` is replaced ({@link withCredentials}). */
export const bytes = (name: string, text: string, codes: readonly number[], { ends, ...expected }: RawOptions & Expected = {}): Attack => ({
  name,
  codes,
  ...expected,
  send: (target) => sendBytes(target, withCredentials(text, target), ends),
});

/** Returns a text in which `CREDENTIALS` is replaced by the attacker's header lines. */
export const withCredentials = (text: string, { credentials }: Target): string =>
  text.replaceAll(
    'CREDENTIALS\r\n',
    Object.entries(credentials)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join(''),
  );

/** Splits a text at white space into words. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
