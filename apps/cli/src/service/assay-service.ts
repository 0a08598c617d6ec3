import { z } from 'zod';
import { splitLines } from '#documents';

const JSON_TYPE = { 'content-type': 'application/json' } as const;

/** Schema of the part of a `Status` that is read when a service refuses a request. */
const refusalSchema = z.object({ message: z.string() });

/** Request to an Assay service. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the address of the service, with a leading slash. */
  readonly path: string;
  /** Request body in JSON; absent if the request has no body. */
  readonly body?: Buffer;
  readonly signal: AbortSignal;
}

/** Result of a request: the text of an answer with a 2xx status, or a sentence with the reason why the request failed. */
export type ServiceAnswer =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'refused'; readonly status: number; readonly problem: string }
  | { readonly kind: 'silent'; readonly problem: string };

/** Maximum size of a server-sent event, in bytes. */
const MAX_EVENT_BYTES = 1024 * 1024;
/** Prefix of the line of a server-sent event that contains its data. */
const DATA = 'data: ';

/** Client of an Assay service, for use by commands. */
export class AssayService {
  /** Address of the service, without a trailing slash. */
  readonly url: string;
  /** Headers of each request with a body: the media type, and the access key if the client has one. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #access: Readonly<Record<string, string>>;

  /**
   * Creates a client.
   *
   * @param url address without a trailing slash
   * @param key access key; undefined if the service requires no key
   */
  constructor(url: string, key: string | undefined) {
    this.url = url;
    this.#access = key === undefined ? {} : { authorization: `Bearer ${key}` };
    this.headers = { ...JSON_TYPE, ...this.#access };
  }

  /** Sends a request and returns the result. Never rejects; failures are part of the result. */
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

  /**
   * Yields the data of server-sent events. Ends if the stream ends or breaks, if the path does not answer with events, or if the signal is
   * aborted.
   */
  async *events(path: string, signal: AbortSignal): AsyncGenerator<string> {
    try {
      const answer = await fetch(`${this.url}${path}`, { headers: this.#access, redirect: 'error', signal });
      if (!answer.ok) await answer.body?.cancel();
      else if (answer.body !== null) yield* dataIn(answer.body);
    } catch {
      // If the events end early, the caller requests the state instead.
    }
  }
}

/** Yields the data of the server-sent events in a byte stream. */
async function* dataIn(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const lines of splitLines(stream, MAX_EVENT_BYTES)) {
    for (const line of lines) {
      const text = Buffer.from(line).toString();
      if (text.startsWith(DATA)) yield text.slice(DATA.length);
    }
  }
}

/** Maximum number of characters that are shown from an answer that is not a `Status`. */
const SHOWN_CHARACTERS = 200;

function messageOf(text: string): string {
  try {
    return refusalSchema.parse(JSON.parse(text)).message;
  } catch {
    return text.slice(0, SHOWN_CHARACTERS);
  }
}

/** Returns a text with the time after which a client may retry; empty if the service does not send one. */
function retryText({ headers }: Response): string {
  const seconds = headers.get('retry-after');
  return seconds === null ? '' : ` (Retry-After ${seconds} s)`;
}

/** Returns the reason of a failed request. `fetch` reports the reason as the `cause` of its error. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message !== '' || !('code' in cause) ? cause.message : String(cause.code);
}
