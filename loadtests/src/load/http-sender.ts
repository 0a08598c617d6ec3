import { Agent, request as overHttp } from 'node:http';
import { Agent as SecureAgent, request as overHttps } from 'node:https';
import { hrMilliseconds } from './hr-milliseconds.ts';
import { PATIENCE_MS, reasonOf, TIMED_OUT } from './load-request.ts';
import type { LoadAnswer, LoadRequest, LoadSender } from './load-request.ts';

/** Client that posts to one address over persistent connections. */
export class HttpSender implements LoadSender<LoadRequest> {
  readonly #url: string;
  readonly #agent: Agent | SecureAgent;

  constructor(url: string) {
    this.#url = url;
    this.#agent = this.#isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  }

  get #isSecure(): boolean {
    return this.#url.startsWith('https:');
  }

  /**
   * Posts a request. Resolves with the answer, or with the reason why there is no answer.
   *
   * @param due time from which the latency is measured, in ms of the clock `hrMilliseconds`
   */
  send({ body, headers }: LoadRequest, due: number): Promise<LoadAnswer | string> {
    return new Promise((resolve) => {
      const failed = (error: Error): void => resolve(reasonOf(error));
      const call = (this.#isSecure ? overHttps : overHttp)(this.#url, {
        agent: this.#agent,
        method: 'POST',
        headers: { ...headers, 'content-length': body.length },
        timeout: PATIENCE_MS,
      });
      call.once('error', failed);
      call.once('timeout', () => call.destroy(new Error(TIMED_OUT)));
      call.once('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', failed);
        response.once('end', () => {
          const ms = hrMilliseconds() - due;
          const text = Buffer.concat(parts).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, ms });
        });
      });
      call.end(body);
    });
  }

  /** Closes all connections and aborts open requests. */
  end(): void {
    this.#agent.destroy();
  }
}
