import type { FastifyInstance } from 'fastify';
import { isWatching } from './health/watching.ts';
import { whenClosed } from './http/when-closed.ts';

/**
 * Counter of open requests, except health probes and metrics scrapes. A process that must end uses it to wait until the open requests are
 * finished.
 */
export class Drain {
  #open = 0;
  #draining = false;
  #emptied = (): void => undefined;

  /** Starts to count the requests of a server. It must be called before the server listens. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      // Probes and scrapes do not delay the end of the process.
      if (!isWatching(request.routeOptions.url ?? '')) {
        this.#open++;
        whenClosed(reply, () => {
          if (--this.#open === 0) this.#emptied();
        });
      }
      // Without this header, a client with an open connection would send more requests to the ending process.
      if (this.#draining && request.raw.httpVersionMajor < 2) reply.raw.setHeader('connection', 'close');
      done();
    });
  }

  /** Number of open requests, except health probes and metrics scrapes. */
  get openRequests(): number {
    return this.#open;
  }

  /** True if the process is about to end and therefore must not receive more requests. */
  get draining(): boolean {
    return this.#draining;
  }

  /**
   * Marks the process as not ready. Resolves when no request is open, or after `milliseconds` ms, with the number of requests that are
   * still open.
   */
  async begin(milliseconds: number): Promise<number> {
    this.#draining = true;
    if (this.#open > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#emptied = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    return this.#open;
  }
}
