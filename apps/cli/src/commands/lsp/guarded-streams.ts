import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { StreamMessageWriter } from 'vscode-languageserver/node';
import type { Message } from 'vscode-languageserver/node';

/** Maximum size in bytes of a message from a client. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Maximum number of messages that may wait until the client reads them. */
const MAX_UNREAD_MESSAGES = 1000;

/**
 * Returns standard output as a stream that does not block. By default, Node writes synchronously to a pipe on standard output, and so
 * blocks while nobody reads. A file never blocks, so `process.stdout` is returned for a file.
 */
export function patientOutput(): Writable {
  try {
    return new Socket({ fd: process.stdout.fd, readable: false, writable: true });
  } catch {
    return process.stdout;
  }
}

/**
 * Ends the server if a client sends more than `MAX_MESSAGE_BYTES` bytes that do not form a message.
 *
 * @param end called with the reason
 * @returns function that must be called for each message that was parsed
 */
export function guardInput(input: Readable, end: (why: string) => void): () => void {
  let waiting = 0;
  input.on('data', (chunk: Uint8Array) => {
    waiting += chunk.length;
    if (waiting > MAX_MESSAGE_BYTES) end(`the client sent ${waiting} bytes that are no message`);
  });
  return () => {
    waiting = 0;
  };
}

/** Writer of messages to the client of the language server. It ends the server if the client sends requests but never reads the answers. */
export class GuardedWriter extends StreamMessageWriter {
  readonly #end: (why: string) => void;
  #unread = 0;

  /**
   * Creates a writer for an output stream.
   *
   * @param end called with the reason if the client does not read
   */
  constructor(output: Writable, end: (why: string) => void) {
    super(output);
    this.#end = end;
  }

  override async write(message: Message): Promise<void> {
    if (++this.#unread > MAX_UNREAD_MESSAGES) this.#end(`the client does not read: ${this.#unread} messages wait for it`);
    try {
      await super.write(message);
    } finally {
      this.#unread--;
    }
  }
}
