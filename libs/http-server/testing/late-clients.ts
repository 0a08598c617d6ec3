import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it } from 'vitest';
import type { ServerTimes } from '../src/open-connections.ts';

/** Times of the servers in this file, in ms. */
const TIMES = { headersMs: 2000, keepAliveMs: 1500, unreadMs: 1000, bodyMs: 2000 };
/** Time in ms after which no server holds a client any more. It allows for two of the times one after another, on a busy machine. */
const LATE_MS = 30_000;
/** Time in ms in which an honest client is answered after others were late. The machine may be busy. */
const HONEST_MS = 5000;
/** Number of clients for each stage. */
const EACH = 2;

/** Server that runs in this process. */
interface Running {
  readonly port: number;
  close(): Promise<void>;
}

/** Server of the product, in a form that a test can start. */
export interface LateServer {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly speaksHttp2: boolean;
  /** Path to which a client may post. */
  readonly posts: string;
  /** Starts the server in this process on 127.0.0.1. `most` is the largest number of open connections. */
  start(times: ServerTimes & { readonly bodyMs: number }, most: number): Promise<Running>;
}

/** Stage of a connection at which a client stops: the protocol that it speaks, and the bytes that it sends. */
interface Stage {
  readonly name: string;
  /** `raw`: the client begins no TLS handshake, also with a server that expects one. */
  readonly speaks: 'raw' | 'http1' | 'http2';
  readonly isOfTls?: boolean;
  readonly bytes: (kind: LateServer) => Buffer | string;
  /** True if the client reads nothing. */
  readonly isDeaf?: boolean;
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const SETTINGS = frame(4, 0, 0);
const NO_WINDOW = frame(4, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]));
const [END_STREAM, END_HEADERS] = [1, 4];

/** Returns an HTTP/2 frame (RFC 9113, section 4.1). */
function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Returns a header block without compression (RFC 7541, section 6.2.2). */
function headers(method: string, path: string, more: readonly (readonly [string, string])[] = []): Buffer {
  const all = [[':method', method], [':scheme', 'https'], [':path', path], [':authority', 'localhost'], ...more];
  return Buffer.concat(
    all.map(([name = '', value = '']) =>
      Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]),
    ),
  );
}

const STAGES: readonly Stage[] = [
  { name: 'no byte', speaks: 'raw', bytes: () => '' },
  { name: 'half a TLS handshake', speaks: 'raw', isOfTls: true, bytes: () => Buffer.from([22, 3, 1, 2, 0]) },
  { name: 'no byte of a request', speaks: 'http1', bytes: () => '' },
  { name: 'half a header', speaks: 'http1', bytes: () => 'GET /livez HTTP/1.1\r\nHost: localhost\r\n' },
  {
    name: 'half a body',
    speaks: 'http1',
    bytes: ({ posts }) => `POST ${posts} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  },
  {
    name: 'half a body to a path that is not there',
    speaks: 'http1',
    bytes: () => 'POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  },
  { name: 'no further request', speaks: 'http1', bytes: () => 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n' },
  {
    name: 'answers that it does not read',
    speaks: 'http1',
    isDeaf: true,
    bytes: () => 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(10_000),
  },
  { name: 'bytes that are no request', speaks: 'http1', bytes: () => 'x\r\n\r\n' },
  { name: 'no byte of HTTP/2', speaks: 'http2', bytes: () => '' },
  { name: 'half a preface', speaks: 'http2', bytes: () => PREFACE.subarray(0, 10) },
  { name: 'no request of HTTP/2', speaks: 'http2', bytes: () => Buffer.concat([PREFACE, SETTINGS]) },
  {
    name: 'half a header of HTTP/2',
    speaks: 'http2',
    bytes: () => Buffer.concat([PREFACE, SETTINGS, frame(1, 0, 1, headers('GET', '/livez'))]),
  },
  {
    name: 'half a body of HTTP/2',
    speaks: 'http2',
    bytes: ({ posts }) => {
      const head = headers('POST', posts, [['content-type', 'application/json']]);
      return Buffer.concat([PREFACE, SETTINGS, frame(1, END_HEADERS, 1, head), frame(0, 0, 1, Buffer.from('{'))]);
    },
  },
  {
    name: 'half a body of HTTP/2 to a path that is not there',
    speaks: 'http2',
    bytes: () => Buffer.concat([PREFACE, SETTINGS, frame(1, END_HEADERS, 1, headers('POST', '/nothing'))]),
  },
  {
    name: 'no further request of HTTP/2',
    speaks: 'http2',
    bytes: () => Buffer.concat([PREFACE, SETTINGS, frame(1, END_HEADERS | END_STREAM, 1, headers('GET', '/livez'))]),
  },
  {
    name: 'an answer of HTTP/2 that has no window',
    speaks: 'http2',
    bytes: () => Buffer.concat([PREFACE, NO_WINDOW, frame(1, END_HEADERS | END_STREAM, 1, headers('GET', '/docs-json'))]),
  },
  {
    name: 'more headers of HTTP/2 than the limit',
    speaks: 'http2',
    bytes: () => {
      const many = Array.from({ length: 200 }, (_, i) => [`x-${i}`, 'y'.repeat(100)] as const);
      const [first, ...rest] = blocksOf(headers('GET', '/livez', many));
      const last = rest.length - 1;
      const continued = rest.map((block, i) => frame(9, i === last ? END_HEADERS : 0, 1, block));
      return Buffer.concat([PREFACE, SETTINGS, frame(1, END_STREAM, 1, first), ...continued]);
    },
  },
];

/** Cuts a header block into parts that fit into frames. */
function blocksOf(block: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(block.length / 16_000) }, (_, i) => block.subarray(i * 16_000, (i + 1) * 16_000));
}

const stagesOf = ({ isEncrypted, speaksHttp2 }: LateServer): readonly Stage[] =>
  STAGES.filter(({ speaks, isOfTls }) => (isEncrypted || isOfTls !== true) && (speaksHttp2 || speaks !== 'http2'));

/** Connects a client that stops at a stage. It never closes the connection by itself. */
async function hold({ speaks, bytes, isDeaf }: Stage, kind: LateServer, port: number): Promise<Socket> {
  const at = { port, host: '127.0.0.1', allowHalfOpen: true } as const;
  const socket: Socket =
    speaks === 'raw' || !kind.isEncrypted
      ? connect(at)
      : connectTls({ ...at, rejectUnauthorized: false, ALPNProtocols: [speaks === 'http2' ? 'h2' : 'http/1.1'] });
  socket.on('error', () => undefined);
  await new Promise((done) => socket.once('connect', done).once('secureConnect', done).once('close', done));
  const sent = bytes(kind);
  if (sent.length > 0) socket.write(sent);
  if (isDeaf) socket.pause();
  else socket.resume();
  return socket;
}

/** Returns the ports of the clients that are connected to a port of this machine, if the server still has a descriptor for them. */
function connectionsTo(port: number): ReadonlySet<number> {
  const [, ...rows] = readFileSync('/proc/self/net/tcp', 'utf8').trim().split('\n');
  const fields = rows.map((row) => row.trim().split(/\s+/));
  // State 0A is LISTEN. A connection that the server has closed has no inode.
  const own = fields.filter(([, local = '', , state, , , , , , inode]) => portOf(local) === port && state !== '0A' && inode !== '0');
  return new Set(own.map(([, , remote = '']) => portOf(remote)));
}

/** Returns the port of an address as the kernel writes it, such as `0100007F:1F90`. */
const portOf = (address: string): number => parseInt(address.slice(address.indexOf(':') + 1), 16);

const descriptors = (): number => readdirSync('/proc/self/fd').length;

async function until(isDone: () => boolean, ms: number): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(50)) if (isDone()) return true;
  return isDone();
}

/** Resolves with the code of an honest request, or with the error that it met. */
async function honest(kind: LateServer, port: number, withinMs: number): Promise<string> {
  const stage: Stage = { name: '', speaks: 'http1', bytes: () => 'GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' };
  const socket = await hold(stage, kind, port);
  const answer = new Promise<string>((done) => socket.once('data', (bytes: Buffer) => done(bytes.toString().split('\r\n')[0] ?? '')));
  const line = await Promise.race([answer, sleep(withinMs, `no answer within ${withinMs} ms`)]);
  socket.destroy();
  return line;
}

const isLinux = process.platform === 'linux';
if (!isLinux) console.warn('connections are counted in /proc, which this system does not have: late clients are not tested');

/** Client that stops at a stage. `port` is its own port, by which the server knows it. */
interface Held {
  readonly stage: Stage;
  readonly socket: Socket;
  readonly port: number;
}

async function holdAll(stages: readonly Stage[], kind: LateServer, port: number): Promise<Held[]> {
  return Promise.all(
    stages.map(async (stage) => {
      const socket = await hold(stage, kind, port);
      return { stage, socket, port: socket.localPort ?? 0 };
    }),
  );
}

/**
 * Holds each server at each stage at which a client can stop. The server must close the connection in time, and at its end. Descriptors are
 * counted before and after.
 */
export function describeLateClients(servers: readonly LateServer[]): void {
  describe.skipIf(!isLinux).each(servers)('$name', (kind) => {
    const stages = Array.from({ length: EACH }, () => stagesOf(kind)).flat();

    it('closes connections of clients that stop at any stage, serves other clients, and leaks no descriptor', async () => {
      const before = descriptors();
      const server = await kind.start(TIMES, stages.length + 1);
      const started = descriptors();
      const clients = await holdAll(stages, kind, server.port);
      // The response to a later client shows that the server has accepted the earlier ones.
      expect(await honest(kind, server.port, LATE_MS)).toBe('HTTP/1.1 200 OK');
      const late = (): string[] => {
        const open = connectionsTo(server.port);
        return clients.filter(({ port }) => open.has(port)).map(({ stage }) => stage.name);
      };
      await until(() => late().length === 0, LATE_MS);
      expect(late()).toEqual([]);
      expect(await honest(kind, server.port, HONEST_MS)).toBe('HTTP/1.1 200 OK');
      for (const { socket } of clients) socket.destroy();
      expect(await until(() => descriptors() <= started, 2000), 'no descriptor of a client is left').toBe(true);
      await server.close();
      expect(await until(() => descriptors() <= before, 5000), 'no descriptor of the server is left').toBe(true);
    });

    it('closes the connections at all stages when it stops', async () => {
      const patient = { headersMs: 60_000, keepAliveMs: 60_000, unreadMs: 60_000, bodyMs: 60_000 };
      const server = await kind.start(patient, stages.length + 1);
      const clients = await holdAll(stages, kind, server.port);
      expect(await honest(kind, server.port, LATE_MS)).toBe('HTTP/1.1 200 OK');
      expect(connectionsTo(server.port).size).toBeGreaterThan(stages.length / 2);
      await server.close();
      expect(await until(() => connectionsTo(server.port).size === 0, 1000)).toBe(true);
      for (const { socket } of clients) socket.destroy();
    });
  });
}
