import { serialize } from 'node:v8';
import type { Writable } from 'node:stream';
import { FRAME, FRAME_HEADER_BYTES, writeHeader } from './frame.ts';

/** Content up to this length is copied behind its header, bytes. Longer content is written without a copy. */
const COPIED_BYTES = 16 * 1024;

/** Outbox that writes several frames together, because the price of a system call on either side does not depend on the amount of data. */
export class FrameOutbox {
  readonly #pipe: Writable;
  #waiting: { readonly frame: Buffer; readonly written: ((frame: Buffer) => void) | undefined }[] = [];
  #scheduled = false;

  constructor(pipe: Writable) {
    this.#pipe = pipe;
  }

  /** Sends a message with all others of this turn of the event loop, in order. */
  post(message: unknown): void {
    this.postContent(FRAME.message, 0, serialize(message));
  }

  /**
   * Sends content and creates its header. Content in shared memory is copied, because a thread may write the next answer there while a full
   * pipe still holds this one. Other long content must not be changed afterwards.
   */
  postContent(holds: number, id: number, content: Uint8Array): void {
    const copied = content.length <= COPIED_BYTES || content.buffer instanceof SharedArrayBuffer;
    const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + (copied ? content.length : 0));
    if (copied) frame.set(content, FRAME_HEADER_BYTES);
    this.postFrame(writeHeader(frame, holds, id, content.length));
    if (!copied) this.postFrame(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
  }

  /** Posts a complete frame, or a part of a frame whose other parts follow. `written` is called when its bytes are needed no more. */
  postFrame(frame: Buffer, written?: (frame: Buffer) => void): void {
    this.#waiting.push({ frame, written });
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  /** Sends all waiting frames now. */
  flush(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    if (waiting.length > 1) this.#pipe.cork();
    for (const { frame, written } of waiting) {
      if (written) this.#pipe.write(frame, () => written(frame));
      else this.#pipe.write(frame);
    }
    if (waiting.length > 1) this.#pipe.uncork();
  }
}
