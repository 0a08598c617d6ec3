import type { FastifyInstance } from 'fastify';
import { isWatching } from './health/watching.ts';
import { whenClosed } from './http/when-closed.ts';

/** Knows how many requests are open, so that a process that is asked to end can let them finish. */
export class Drain {
  #open = 0;
  #draining = false;
  #emptied = (): void => undefined;

  /** Watches the requests of a server that does not listen yet. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      // Probes and scrapes do not keep a process alive.
      if (!isWatching(request.routeOptions.url ?? '')) {
        this.#open++;
        whenClosed(reply, () => {
          if (--this.#open === 0) this.#emptied();
        });
      }
      // A client with an open connection would otherwise go on asking the process that ends.
      if (this.#draining) reply.raw.setHeader('connection', 'close');
      done();
    });
  }

  /** True if the process is about to end: it is not ready for more. */
  get draining(): boolean {
    return this.#draining;
  }

  /** From now on not ready. Resolves with the number of requests that are still open: 0, or more when `milliseconds` are over before that. */
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
