import { z } from 'zod';
import { splitLines } from '#evaluation';

const JSON_TYPE = { 'content-type': 'application/json' } as const;

/** Part of the `Status` with which a service refuses. */
const refusalSchema = z.object({ message: z.string() });

/** A request to a service. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the address of the service, with its first slash. */
  readonly path: string;
  /** JSON; absent if there is no body. */
  readonly body?: Buffer;
  readonly signal: AbortSignal;
}

/** The text of an answer with a 2xx; or the reason why there is none, as a sentence. */
export type ServiceAnswer =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'refused'; readonly status: number; readonly problem: string }
  | { readonly kind: 'silent'; readonly problem: string };

/** Bytes of a server-sent event, at most. */
const MOST_EVENT_BYTES = 1024 * 1024;
/** The beginning of the line of an event that holds its data. */
const DATA = 'data: ';

/** A service of Assay, as commands ask it. */
export class AssayService {
  /** The address, without a slash at its end. */
  readonly url: string;
  /** Headers of each request with a body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #access: Readonly<Record<string, string>>;

  /**
   * @param url address without a slash at its end
   * @param key access key; undefined if the service is open
   */
  constructor(url: string, key: string | undefined) {
    this.url = url;
    this.#access = key === undefined ? {} : { authorization: `Bearer ${key}` };
    this.headers = { ...JSON_TYPE, ...this.#access };
  }

  /** Sends a request. Never rejects. */
  async ask({ method, path, body, signal }: ServiceRequest): Promise<ServiceAnswer> {
    const content = body === undefined ? { headers: this.#access } : { headers: this.headers, body: new Uint8Array(body) };
    try {
      const answer = await fetch(`${this.url}${path}`, { method, ...content, redirect: 'error', signal });
      const text = await answer.text();
      if (answer.ok) return { kind: 'answered', text };
      const problem = `${this.url} refuses ${method} ${path}: ${answer.status} ${messageOf(text)}${retryText(answer)}`;
      return { kind: 'refused', status: answer.status, problem };
    } catch (error) {
      return { kind: 'silent', problem: `${this.url} does not answer: ${causeOf(error)}` };
    }
  }

  /** Yields the data of server-sent events. Ends if the stream ends or breaks, there is none, or the signal is raised. */
  async *events(path: string, signal: AbortSignal): AsyncGenerator<string> {
    try {
      const answer = await fetch(`${this.url}${path}`, { headers: this.#access, redirect: 'error', signal });
      if (!answer.ok) await answer.body?.cancel();
      else if (answer.body !== null) yield* dataIn(answer.body);
    } catch {
      // Whoever follows the events asks for the state if they end early.
    }
  }
}

/** Yields the data of server-sent events. */
async function* dataIn(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const lines of splitLines(stream, MOST_EVENT_BYTES)) {
    for (const line of lines) {
      const text = Buffer.from(line).toString();
      if (text.startsWith(DATA)) yield text.slice(DATA.length);
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

/** Returns when a client may come again, if the service tells it. */
function retryText({ headers }: Response): string {
  const seconds = headers.get('retry-after');
  return seconds === null ? '' : ` (Retry-After ${seconds} s)`;
}

/** Returns the reason of a failed request, which `fetch` tells as a cause. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message !== '' || !('code' in cause) ? cause.message : String(cause.code);
}
