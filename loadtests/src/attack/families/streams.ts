import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Answer, Attack, Family, Target } from '../attack.ts';
import { ask, ATTACKERS_ADDRESS, bytes, TYPES } from '../send.ts';

const HEAD = 'POST /evaluate HTTP/1.1\r\nHost: localhost\r\nCREDENTIALS\r\nContent-Type: application/x-ndjson\r\n';
const ENVELOPE = '{"definitions":[]}\n';

/** Connections of an attacker, in whatever state they are left. */
async function connections(target: Target, count: number, text: string): Promise<Socket[]> {
  const lines = Object.entries(target.credentials).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = text.replaceAll('CREDENTIALS\r\n', lines.join(''));
  const open = Array.from({ length: count }, () => {
    const socket = connect({ port: target.port, host: '127.0.0.1', localAddress: ATTACKERS_ADDRESS });
    socket.on('error', () => undefined).on('connect', () => socket.write(bytes));
    return socket;
  });
  await setTimeout(100);
  return open;
}

/** Opens connections, leaves them for some time as they are, then asks over another one. */
const held = (
  name: string,
  count: number,
  text: string,
  { ms = 1500, reads = false, codes = [200] as readonly number[], isLong = false } = {},
): Attack => ({
  name,
  codes,
  ...(isLong && { isLong: true as const }),
  send: async (target) => {
    const open = await connections(target, count, text);
    if (reads) for (const socket of open) socket.resume();
    await setTimeout(ms);
    const answer = await ask(target, { path: '/livez' });
    for (const socket of open) socket.destroy();
    return answer;
  },
});

/** An upload that its client breaks off. */
const brokenOff = (count: number, head: string): Attack =>
  held(
    `${count} uploads that are broken off: ${/\w+$/.exec(head.split('\r\n')[3] ?? '')?.[0]}`,
    count,
    `${head}Content-Length: 50000000\r\n\r\n${'{"a":1}\n'.repeat(2000)}`,
    { ms: 100 },
  );

/** A client that sends work without end and reads nothing. */
const neverRead = (count: number, lines: number): Attack =>
  held(
    `${count} clients that do not read ${lines} verdicts`,
    count,
    `${HEAD}Content-Length: ${ENVELOPE.length + 3 * lines}\r\n\r\n${ENVELOPE}${'{}\n'.repeat(lines)}`,
  );

/** What a flow is refused when it holds all its evaluations, and is served when they have ended. */
const idleStreams: Attack = {
  name: '250 idle streams, then an evaluation',
  codes: [200],
  isLong: true,
  send: async (target) => {
    const open = await connections(target, 250, `${HEAD}Content-Length: 5000\r\n\r\n${ENVELOPE}`);
    // After ASSAY_IDLE_BODY_MS they are over, and their client is served again.
    const ended = open.map((socket) => new Promise((done) => socket.resume().once('close', done)));
    await Promise.all(ended);
    return ask(target, { method: 'POST', path: '/evaluate', headers: { 'content-type': TYPES.json }, body: '{"objects":[{}]}' });
  },
};

const keepAlive: Attack = {
  name: '1,000 connections that stay',
  codes: [200],
  send: async (target): Promise<Answer> => {
    const open = await connections(target, 1000, 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const answer = await ask(target, { path: '/livez' });
    for (const socket of open) socket.destroy();
    return answer;
  },
};

/** Connections and streams that hold what they have. */
export const streams: Family = {
  name: 'streams',
  shapes: ['embedded', 'fleet', 'keyed'],
  attacks: () => [
    bytes('a silent stream', `${HEAD}Content-Length: 500\r\n\r\n`, [408], { ends: 'never' }),
    bytes('a stream that falls silent', `${HEAD}Content-Length: 500\r\n\r\n${ENVELOPE}{}\n`, [200], {
      ends: 'never',
      says: /sent nothing for too long/,
    }),
    bytes(
      'a stream beyond its deadline',
      `${HEAD}Content-Length: 500\r\n\r\n{"definitions":[],"options":{"deadline":"300ms"}}\n`,
      [200, 408],
      { ends: 'never' },
    ),
    bytes('a first line of 8 MB, then silence', `${HEAD}Content-Length: 90000000\r\n\r\n${'x'.repeat(8 * 1024 * 1024)}`, [413], {
      ends: 'never',
    }),
    bytes(
      'a slow JSON body',
      `POST /evaluate HTTP/1.1\r\nHost: localhost\r\nCREDENTIALS\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"`,
      [408],
      { ends: 'never' },
    ),
    bytes('slow headers', 'GET /livez HTTP/1.1\r\nHost: loc', [408], { ends: 'never', isLong: true }),
    held('500 slow headers', 500, 'GET /livez HTTP/1.1\r\nHost: loc'),
    held(
      '200 slow bodies',
      200,
      'POST /evaluate HTTP/1.1\r\nHost: localhost\r\nCREDENTIALS\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"',
    ),
    held(
      '200 bodies of 60 MB that do not come',
      200,
      'POST /evaluate HTTP/1.1\r\nHost: localhost\r\nCREDENTIALS\r\nContent-Type: application/json\r\nContent-Length: 60000000\r\n\r\n{',
    ),
    held('500 connections that say nothing', 500, ''),
    brokenOff(100, HEAD),
    brokenOff(100, HEAD.replace('x-ndjson', 'json')),
    brokenOff(50, HEAD.replace('x-ndjson', 'yaml')),
    neverRead(20, 20_000),
    neverRead(3, 300_000),
    idleStreams,
    keepAlive,
  ],
};
