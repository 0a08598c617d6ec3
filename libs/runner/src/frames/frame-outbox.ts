import { serialize } from 'node:v8';
import type { Writable } from 'node:stream';
import { FRAME, FRAME_HEADER_BYTES, writeHeader } from './frame.ts';

/** Maximum length in bytes of content that is copied into one buffer with its header. Longer content is written without a copy. */
const COPIED_BYTES = 16 * 1024;

/**
 * Outbox that collects several frames (binary messages with a header) and writes them to a pipe at once. The cost of a system call hardly
 * depends on the amount of data.
 */
export class FrameOutbox {
  readonly #pipe: Writable;
  #waiting: { readonly frame: Buffer; readonly written: ((frame: Buffer) => void) | undefined }[] = [];
  #scheduled = false;

  constructor(pipe: Writable) {
    this.#pipe = pipe;
  }

  /** Queues a message, which is sent together with all other messages of this turn of the event loop, in order. */
  post(message: unknown): void {
    this.postContent(FRAME.message, 0, serialize(message));
  }

  /**
   * Sends content with a new header. `kind` is the kind of content ({@link FRAME}), and `id` is the id of the task. Content in shared
   * memory is copied, because a thread may overwrite it before a full pipe accepts it. The caller must not change other long content after
   * the call.
   */
  postContent(kind: number, id: number, content: Uint8Array): void {
    const copied = content.length <= COPIED_BYTES || content.buffer instanceof SharedArrayBuffer;
    const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + (copied ? content.length : 0));
    if (copied) frame.set(content, FRAME_HEADER_BYTES);
    this.postFrame(writeHeader(frame, kind, id, content.length));
    if (!copied) this.postFrame(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
  }

  /**
   * Sends a complete frame, or one part of a frame whose other parts follow. `written` is called when the bytes of `frame` may be reused.
   */
  postFrame(frame: Buffer, written?: (frame: Buffer) => void): void {
    this.#waiting.push({ frame, written });
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  /** Sends all waiting frames immediately. */
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
