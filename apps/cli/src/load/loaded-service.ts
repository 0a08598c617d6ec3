import { z } from 'zod';
import type { SentDefinition } from './load-bodies.ts';

const JSON_TYPE = { 'content-type': 'application/json' } as const;

/** Part of the `Status` with which a service refuses. */
const refusalSchema = z.object({ message: z.string() });

/** The deployment that a load is sent to. */
export class LoadedService {
  readonly #url: string;
  /** Headers of each request. */
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param url address without a slash at its end
   * @param key access key; undefined if the service is open
   */
  constructor(url: string, key: string | undefined) {
    this.#url = url;
    this.headers = { ...JSON_TYPE, ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  }

  /** The address that evaluations are posted to. */
  get evaluations(): string {
    return `${this.#url}/evaluate`;
  }

  /** Sends the definitions that requests name, and one request. Resolves with the reason why the service cannot be loaded; undefined if it can. */
  async prepare(definitions: readonly SentDefinition[], first: Buffer, signal: AbortSignal): Promise<string | undefined> {
    for (const { source, digest, body } of definitions) {
      const problem = await this.#send('PUT', `${this.#url}/definitions/${digest}`, body, signal);
      if (problem !== undefined) return `${problem} (${source})`;
    }
    return this.#send('POST', this.evaluations, first, signal);
  }

  async #send(method: 'PUT' | 'POST', url: string, body: Buffer, signal: AbortSignal): Promise<string | undefined> {
    try {
      const answer = await fetch(url, { method, headers: this.headers, body: new Uint8Array(body), redirect: 'error', signal });
      const text = await answer.text();
      return answer.ok ? undefined : `${this.#url} refuses ${method} ${url.slice(this.#url.length)}: ${answer.status} ${messageOf(text)}`;
    } catch (error) {
      return `${this.#url} does not answer: ${causeOf(error)}`;
    }
  }
}

/** Characters of an answer that are shown if it is no `Status`. */
const SHOWN_CHARACTERS = 200;

function messageOf(text: string): string {
  try {
    return refusalSchema.parse(JSON.parse(text)).message;
  } catch {
    return text.slice(0, SHOWN_CHARACTERS);
  }
}

/** Returns the reason of a failed request, which `fetch` tells as a cause. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message !== '' || !('code' in cause) ? cause.message : String(cause.code);
}
