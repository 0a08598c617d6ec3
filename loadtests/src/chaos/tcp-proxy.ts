import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/**
 * State of the simulated network: `slow` delays data, `lossy` delivers requests but not answers, and `stuck` delivers nothing and reports
 * no error.
 */
export type Weather = 'fair' | 'slow' | 'stuck' | 'lossy';

/** One direction of a connection. It keeps the order of bytes and delivers no byte after a lost one, because TCP guarantees both. */
class Way {
  readonly #to: Socket;
  readonly #delayed: Buffer[] = [];
  #deaf = false;
  /** Number of bytes that were lost in this direction. */
  lost = 0;

  constructor(to: Socket) {
    this.#to = to;
  }

  /** Number of data blocks that are currently delayed. */
  get delayed(): number {
    return this.#delayed.length;
  }

  pass(bytes: Buffer, delayMs: number): void {
    if (this.#deaf) return void (this.lost += bytes.length);
    if (delayMs === 0 && this.#delayed.length === 0) return void this.#to.write(bytes);
    this.#delayed.push(bytes);
    setTimeout(() => {
      const next = this.#delayed.shift();
      if (next !== undefined && this.#to.writable) this.#to.write(next);
    }, delayMs);
  }

  /** Discards all further data until the connection ends. */
  lose(): void {
    this.#deaf = true;
  }
}

/** TCP proxy between the processes and Redis that can simulate network problems. */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #there: Way[] = [];
  readonly #back: Way[] = [];
  #weather: Weather = 'fair';
  #delayMs = 0;

  private constructor(targetPort: number) {
    this.#server = createServer((client) => this.#join(client, targetPort));
  }

  static async start(targetPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetPort);
    await new Promise<void>((done) => proxy.#server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  /** Number of bytes of answers that were lost, over all connections. */
  get lost(): number {
    return this.#back.reduce((sum, way) => sum + way.lost, 0);
  }

  /** Number of request data blocks that slow weather currently delays. */
  get delayed(): number {
    return this.#there.reduce((sum, way) => sum + way.delayed, 0);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Changes the state of the network. `delayMs` is the delay of each data block in slow weather. */
  turn(weather: Weather, delayMs = 0): void {
    this.#weather = weather;
    this.#delayMs = weather === 'slow' ? delayMs : 0;
    for (const pair of this.#pairs)
      for (const socket of pair) {
        if (weather === 'stuck') socket.pause();
        else socket.resume();
      }
  }

  /** Breaks all connections. */
  cut(): void {
    for (const [client, target] of this.#pairs) {
      client.destroy();
      target.destroy();
    }
  }

  stop(): void {
    this.cut();
    this.#server.close();
  }

  #join(client: Socket, targetPort: number): void {
    const target = connect(targetPort, '127.0.0.1');
    const pair = [client, target] as const;
    const [there, back] = [new Way(target), new Way(client)];
    this.#pairs.add(pair);
    this.#there.push(there);
    this.#back.push(back);
    const end = (): void => {
      client.destroy();
      target.destroy();
      this.#pairs.delete(pair);
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    client.on('data', (bytes: Buffer) => there.pass(bytes, this.#delayMs));
    target.on('data', (bytes: Buffer) => {
      if (this.#weather === 'lossy') back.lose();
      back.pass(bytes, this.#delayMs);
    });
    if (this.#weather === 'stuck') for (const socket of pair) socket.pause();
  }
}
