import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TcpProxy } from './tcp-proxy.ts';

describe('a simulated bad network connection', () => {
  let echo: Server;
  let proxy: TcpProxy;
  beforeEach(async () => {
    echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
    await new Promise<void>((done) => echo.listen(0, '127.0.0.1', done));
    proxy = await TcpProxy.start((echo.address() as AddressInfo).port);
  });
  afterEach(() => {
    proxy.stop();
    echo.close();
  });

  function client() {
    const socket = connect(proxy.port, '127.0.0.1');
    let heard = '';
    let closed = false;
    socket.on('data', (bytes) => (heard += bytes.toString()));
    socket.on('close', () => (closed = true));
    socket.on('error', () => undefined);
    return { say: (text: string) => socket.write(text), heard: () => heard, closed: () => closed };
  }

  /** Waits until `holds` returns true. The condition is checked after each turn of the event loop. */
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await setImmediate();
  }

  it('keeps the order of bytes when a delay ends', async () => {
    const { say, heard } = client();
    proxy.turn('slow', 500);
    say('first ');
    await until(() => proxy.delayed > 0);
    proxy.turn('fair');
    say('second ');
    await until(() => proxy.delayed > 1);
    say('third');
    await until(() => heard() === 'first second third');
  });

  it('delivers no bytes after it lost a response', async () => {
    const { say, heard, closed } = client();
    proxy.turn('lossy');
    say('lost ');
    await until(() => proxy.lost === 'lost '.length);
    proxy.turn('fair');
    say('also lost');
    await until(() => proxy.lost === 'lost also lost'.length);
    expect(heard()).toBe('');
    proxy.cut();
    await until(closed);
  });

  it('delivers no bytes while it is stuck', async () => {
    const { say, heard } = client();
    say('a');
    await until(() => heard() === 'a');
    proxy.turn('stuck');
    say('b');
    for (let turns = 0; turns < 1000; turns++) await setImmediate();
    expect(heard()).toBe('a');
    proxy.turn('fair');
    await until(() => heard() === 'ab');
  });
});
