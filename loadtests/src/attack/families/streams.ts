import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Attack, Family, Target } from '../attack.ts';
import { ask, ATTACKERS_ADDRESS, bytes, TYPES, withCredentials } from '../send.ts';

/** Returns the header part of a request whose body has `length` bytes. */
const head = (notation: keyof typeof TYPES, length: number): string =>
  `POST /evaluate HTTP/1.1\r\nHost: localhost\r\nCREDENTIALS\r\nContent-Type: ${TYPES[notation]}\r\nContent-Length: ${length}\r\n\r\n`;
const ENVELOPE = '{"definitions":[]}\n';

/** Opens connections of an attacker, writes `text` to each, and leaves them open. */
async function connections(target: Target, count: number, text: string): Promise<Socket[]> {
  const open = Array.from({ length: count }, () => {
    const socket = connect({ port: target.port, host: '127.0.0.1', localAddress: ATTACKERS_ADDRESS });
    socket.on('error', () => undefined).on('connect', () => socket.write(withCredentials(text, target)));
    return socket;
  });
  await setTimeout(100);
  return open;
}

/**
 * Returns an attack that opens connections, leaves them idle for `ms`, and then requests `/livez` over another connection. This request
 * must succeed.
 */
const held = (name: string, count: number, text: string, ms = 1500): Attack => ({
  name,
  codes: [200],
  send: async (target) => {
    const open = await connections(target, count, text);
    await setTimeout(ms);
    const answer = await ask(target, { path: '/livez' });
    for (const socket of open) socket.destroy();
    return answer;
  },
});

/** Returns an attack with uploads that their clients abort. */
const brokenOff = (count: number, notation: keyof typeof TYPES): Attack =>
  held(`${count} uploads that are broken off: ${notation}`, count, `${head(notation, 50_000_000)}${'{"a":1}\n'.repeat(2000)}`, 100);

/** Returns an attack with clients that send many lines and never read the answers. */
const neverRead = (count: number, lines: number): Attack =>
  held(
    `${count} clients that do not read ${lines} verdicts`,
    count,
    `${head('ndjson', ENVELOPE.length + 3 * lines)}${ENVELOPE}${'{}\n'.repeat(lines)}`,
  );

/**
 * Attack with as many idle streams as a flow may have evaluations. The service refuses further evaluations of the flow until the streams
 * have ended, and then serves the flow again.
 */
const idleStreams: Attack = {
  name: '250 idle streams, then an evaluation',
  codes: [200],
  isLong: true,
  send: async (target) => {
    const open = await connections(target, 250, `${head('ndjson', 5000)}${ENVELOPE}`);
    // After ASSAY_IDLE_BODY_MS, these requests end, and their client is served again.
    await Promise.all(open.map((socket) => new Promise((done) => socket.resume().once('close', done))));
    return ask(target, { method: 'POST', path: '/evaluate', headers: { 'content-type': TYPES.json }, body: '{"objects":[{}]}' });
  },
};

const ENDS = { ends: 'never' } as const;

/** Attacks with connections and streams that keep resources occupied. */
export const streams: Family = {
  name: 'streams',
  shapes: ['embedded', 'fleet', 'keyed'],
  attacks: () => [
    bytes('a silent stream', head('ndjson', 500), [408], ENDS),
    bytes('a stream that falls silent', `${head('ndjson', 500)}${ENVELOPE}{}\n`, [200], { ...ENDS, says: /sent nothing for too long/ }),
    bytes('a stream beyond its deadline', `${head('ndjson', 500)}{"definitions":[],"options":{"deadline":"300ms"}}\n`, [200, 408], ENDS),
    bytes('a first line of 8 MB, then silence', `${head('ndjson', 90_000_000)}${'x'.repeat(8 * 1024 * 1024)}`, [413], ENDS),
    bytes('a slow JSON body', `${head('json', 50)}{"`, [408], ENDS),
    bytes('slow headers', 'GET /livez HTTP/1.1\r\nHost: loc', [408], { ...ENDS, isLong: true }),
    held('500 slow headers', 500, 'GET /livez HTTP/1.1\r\nHost: loc'),
    held('200 slow bodies', 200, `${head('json', 50)}{"`),
    held('200 bodies of 60 MB that do not come', 200, `${head('json', 60_000_000)}{`),
    held('500 connections that say nothing', 500, ''),
    held('1,000 connections that stay', 1000, 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n', 0),
    brokenOff(100, 'ndjson'),
    brokenOff(100, 'json'),
    brokenOff(50, 'yaml'),
    neverRead(20, 20_000),
    neverRead(3, 300_000),
    idleStreams,
  ],
};
