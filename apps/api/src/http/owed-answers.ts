import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The answers that are owed on each connection of HTTP/1.1: a client may send requests before the answers to earlier ones. */
export class OwedAnswers {
  readonly #owed = new WeakMap<Socket, Set<ServerResponse>>();

  /** Follows the requests of a server from now on. */
  watch(server: Server): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.httpVersionMajor !== 1) return;
      const owed = this.#owed.get(request.socket) ?? new Set();
      this.#owed.set(request.socket, owed.add(response));
      response.once('close', () => owed.delete(response));
    });
  }

  /** Resolves once the answers to all whole requests of a connection are over. A request whose body breaks off gets no other answer. */
  async given(socket: Socket): Promise<void> {
    const owed = [...(this.#owed.get(socket) ?? [])].filter(({ req, closed }) => req.complete && !closed);
    await Promise.all(owed.map((response) => once(response, 'close')));
  }
}
