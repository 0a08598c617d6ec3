import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';

/** Longest allowed delay in ms of an answer after its deadline. It covers an expired lease, a restart and a few retries. */
export const PATIENCE_MS = 75_000;
const agent = new Agent({ keepAlive: false });

/** Answer, or the part of an answer that arrived. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** False if the connection broke before the end of the answer. */
  readonly whole: boolean;
}

/** Error that is thrown if nothing arrived for too long. */
export class TookTooLong extends Error {}

/** Returns true if the connection was refused. */
export const isRefusedConnection = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

/** Sends a request and returns the answer, or the part of it that arrived. Throws if there is no answer. */
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

/** Returns the answer; undefined if the connection was refused or broke. Throws if nothing arrived for too long. */
export async function answeredOrAway(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TookTooLong) throw error;
    return undefined;
  }
}
