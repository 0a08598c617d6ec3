import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';

/** The longest delay of an answer after its deadline: a lease that runs out, a restart, a few retries. */
export const PATIENCE_MS = 75_000;
const agent = new Agent({ keepAlive: false });

/** An answer as far as it came. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** False: the connection broke before its end. */
  readonly whole: boolean;
}

/** Nothing came for too long. */
export class TookTooLong extends Error {}

/** Returns true if nobody took the connection. */
export const isRefusedConnection = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

/** Sends a request, and returns its answer as far as it came. Throws if there is none. */
export function exchange(
  url: string,
  body: string | undefined,
  options: { readonly method?: string; readonly ndjson?: boolean; readonly slow?: boolean; readonly hangUpAfterMs?: number },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = options.method ?? (body === undefined ? 'GET' : 'POST');
    const headers = { 'content-type': options.ndjson === true ? 'application/x-ndjson' : 'application/json' };
    const call = request(url, { method, headers, agent });
    const patience = globalThis.setTimeout(() => {
      call.destroy();
      reject(new TookTooLong());
    }, PATIENCE_MS);
    const settle = (answer: Answer): void => {
      clearTimeout(patience);
      resolve(answer);
    };
    call.once('error', (error) => {
      clearTimeout(patience);
      reject(error);
    });
    call.once('response', (response: IncomingMessage) => {
      let text = '';
      const done = (): void => settle({ status: response.statusCode ?? 0, text, whole: response.complete });
      response.on('data', (part: Buffer) => {
        text += part.toString();
        if (options.slow !== true) return;
        response.pause();
        globalThis.setTimeout(() => response.resume(), 25);
      });
      response.once('close', done);
    });
    call.end(body);
    if (options.hangUpAfterMs !== undefined)
      globalThis.setTimeout(() => {
        call.destroy();
        settle({ status: 0, text: '', whole: false });
      }, options.hangUpAfterMs);
  });
}

/** Returns undefined if nobody took the connection, or if it broke. Throws if nothing came for too long. */
export async function answeredOrAway(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TookTooLong) throw error;
    return undefined;
  }
}
