import type { Writable } from 'node:stream';
import { serialize } from 'node:v8';
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

/** Size in bytes up to which a buffer is not kept for reuse. Node allocates such small buffers from a pool. */
const SMALL_BYTES = 16 * 1024;
/** Unit in bytes: the size of a new buffer is rounded up to a multiple of it, so that the next frame also fits. */
const STEP_BYTES = 64 * 1024;
/** Maximum size in bytes of a buffer that is kept for reuse. */
const KEPT_BYTES = 1024 * 1024;
/** Maximum number of buffers that are kept for reuse. */
const KEPT_ROOMS = 16;

/**
 * Pool of reusable buffers for large frames (binary messages between processes). A buffer is reused after its frame is written. Without
 * reuse, V8 would free each buffer only at its next garbage collection.
 */
export class FrameRooms {
  readonly #free: Buffer[] = [];

  /** Returns a buffer of `bytes` bytes with arbitrary content. */
  take(bytes: number): Buffer {
    if (bytes <= SMALL_BYTES) return Buffer.allocUnsafe(bytes);
    const fitting = this.#free.findIndex((room) => room.length >= bytes);
    const [room = Buffer.allocUnsafeSlow(STEP_BYTES * Math.ceil(bytes / STEP_BYTES))] = fitting < 0 ? [] : this.#free.splice(fitting, 1);
    return room.subarray(0, bytes);
  }

  /** Takes back the buffer of a frame that {@link take} returned, so that another frame can use the buffer. No code may read the frame afterwards. */
  giveBack(frame: Buffer): void {
    if (frame.length <= SMALL_BYTES || frame.buffer.byteLength > KEPT_BYTES || this.#free.length >= KEPT_ROOMS) return;
    this.#free.push(Buffer.from(frame.buffer));
  }
}
