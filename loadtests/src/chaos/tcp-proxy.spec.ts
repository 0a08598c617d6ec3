import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TcpProxy } from './tcp-proxy.ts';

describe('a bad network', () => {
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

  it('keeps the order of bytes when slow weather turns fair', async () => {
    const { say, heard } = client();
    proxy.turn('slow', 60);
    say('first ');
    await setTimeout(20);
    proxy.turn('fair');
    say('second ');
    await setTimeout(20);
    say('third');
    await expect.poll(heard).toBe('first second third');
  });

  it('delivers nothing after an answer that it lost', async () => {
    const { say, heard, closed } = client();
    proxy.turn('lossy');
    say('lost ');
    await setTimeout(50);
    proxy.turn('fair');
    say('also lost');
    await setTimeout(50);
    expect(heard()).toBe('');
    proxy.cut();
    await expect.poll(closed).toBe(true);
  });

  it('holds everything back while it is stuck', async () => {
    const { say, heard } = client();
    say('a');
    await expect.poll(heard).toBe('a');
    proxy.turn('stuck');
    say('b');
    await setTimeout(50);
    expect(heard()).toBe('a');
    proxy.turn('fair');
    await expect.poll(heard).toBe('ab');
  });
});
