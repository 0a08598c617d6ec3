import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Answers that are still to be sent on each HTTP/1.1 connection. A connection may owe several answers, because a client may send a request
 * before its earlier requests are answered.
 */
export class OwedAnswers {
  readonly #owed = new WeakMap<Socket, Set<ServerResponse>>();

  /** Starts to track the requests of a server. */
  watch(server: Server): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.httpVersionMajor !== 1) return;
      const owed = this.#owed.get(request.socket) ?? new Set();
      this.#owed.set(request.socket, owed.add(response));
      response.once('close', () => owed.delete(response));
    });
  }

  /**
   * Resolves when the answers to all complete requests of a connection are finished. A request whose body was interrupted is not waited
   * for, because it is not answered separately.
   */
  async given(socket: Socket): Promise<void> {
    const owed = [...(this.#owed.get(socket) ?? [])].filter(({ req, closed }) => req.complete && !closed);
    await Promise.all(owed.map((response) => once(response, 'close')));
  }
}
