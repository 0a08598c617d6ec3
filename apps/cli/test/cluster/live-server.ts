import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { findCluster } from '#cluster';

/** Path of the kubeconfig for an API server that is used only by tests, and to which they may write. Undefined if no server is provided. */
export const LIVE_KUBECONFIG = process.env['ASSAY_LIVE_KUBECONFIG'];

/** Client that writes to a real API server for tests. Assay itself only reads from API servers. */
export class LiveServer {
  readonly #server: URL;
  readonly #agent: Agent;

  constructor(kubeconfig: string) {
    readFileSync(kubeconfig);
    const found = findCluster({ kubeconfig });
    if (!found.ok) throw new Error(found.problem.sentence);
    this.#server = found.value.server;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 24, ...found.value.tls });
  }

  /** Sends a request. Resolves with the status code and the parsed body. */
  send(method: string, path: string, body?: object): Promise<{ readonly code: number; readonly body: LiveAnswer }> {
    return new Promise((done, failed) => {
      const sent = request(new URL(path.slice(1), this.#server), {
        method,
        agent: this.#agent,
        headers: { 'content-type': 'application/json' },
      });
      sent.on('error', failed);
      sent.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => done({ code: response.statusCode ?? 0, body: JSON.parse(text) as LiveAnswer }));
      });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Calls `one` for each number from 0 to `count` - 1, with 24 calls at a time. */
  async sendEach(count: number, one: (i: number) => Promise<void>): Promise<void> {
    const numbers = Array.from({ length: count }).keys();
    const some = async (): Promise<void> => {
      for (const i of numbers) await one(i);
    };
    await Promise.all(Array.from({ length: 24 }, some));
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Answer of an API server: an object, a list, or a Status. */
export interface LiveAnswer {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly reason?: string; readonly message?: string }[] };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly items?: readonly LiveAnswer[];
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}
