import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { StreamMessageWriter } from 'vscode-languageserver/node';
import type { Message } from 'vscode-languageserver/node';

/** Most bytes of a message that a client may send. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Most messages that may wait for a client to read them. */
const MAX_UNREAD_MESSAGES = 1000;

/**
 * Returns standard output as a stream that does not wait. Node writes to a pipe of its standard output at once, and so blocks while nobody reads. A
 * file is never full, and needs no change.
 */
export function patientOutput(): Writable {
  try {
    return new Socket({ fd: process.stdout.fd, readable: false, writable: true });
  } catch {
    return process.stdout;
  }
}

/**
 * Watches a client that may send without end and never a message.
 *
 * @param end is given why
 * @returns what is to be told of each message that was understood
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

/** Writes messages to a client that may ask without end and never read. */
export class GuardedWriter extends StreamMessageWriter {
  readonly #end: (why: string) => void;
  #unread = 0;

  /** @param end is given why */
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
