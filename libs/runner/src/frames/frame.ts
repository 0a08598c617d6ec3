/** File descriptor of the pipe between the engine host and the process that started it. */
export const HOST_PIPE = 3;

/**
 * Kinds of content of a frame. A frame is a binary message between the service and the engine host, the process that runs the engine's
 * threads.
 */
export const FRAME = {
  /** Content is a `HostRequest` or a `HostReply`, serialized with `v8.serialize`. */
  message: 0,
  /** Content is a chunk of items to evaluate, or the result of a chunk (`evaluation-frame.ts`). */
  evaluation: 1,
} as const;

/**
 * Size of a header in bytes. The header contains the kind of content, the id of the task, and the length of the content, as 32-bit
 * little-endian numbers.
 */
export const FRAME_HEADER_BYTES = 12;
/**
 * Size in bytes of a frame's length field, the last part of the header, immediately before the content. The length field and the content
 * together are called a block.
 */
export const LENGTH_BYTES = 4;

/**
 * Writes the header of a frame (a binary message between the service and the engine host) into the first bytes of `frame`, and returns
 * `frame`. `kind` is the kind of content ({@link FRAME}), and `id` is the id of the task. The content is the rest of `frame`, or
 * `contentBytes` bytes that are sent after `frame`.
 */
export function writeHeader(frame: Buffer, kind: number, id: number, contentBytes = frame.length - FRAME_HEADER_BYTES): Buffer {
  frame.writeUInt32LE(kind, 0);
  frame.writeUInt32LE(id, 4);
  frame.writeUInt32LE(contentBytes, 8);
  return frame;
}

/**
 * Returns the content of a block. A block is the length field and the content of a frame (binary message between the service and the engine
 * host).
 */
export const contentOf = (block: Buffer): Buffer => block.subarray(LENGTH_BYTES);

/**
 * Listener for frames (binary messages between the service and the engine host) that arrive from a pipe. `kind` is the kind of content
 * ({@link FRAME}), `id` is the id of the task, and `block` is the content with its length field. If `buffer` is `own`, the listener may
 * keep the block. If it is `reused`, the listener must copy the block before it returns.
 */
export type FrameListener = (kind: number, id: number, block: Buffer, buffer: 'own' | 'reused') => void;

/**
 * Maximum size in bytes of the buffer that a reader reuses for blocks. The reader does not reuse buffers if its listener keeps the blocks.
 */
const KEPT_BYTES = 1024 * 1024;

/**
 * Reader that assembles frames (binary messages between the service and the engine host) from the bytes of a pipe. The pipe may split a
 * frame at any byte.
 */
export class FrameReader {
  readonly #listener: FrameListener;
  readonly #header = Buffer.alloc(FRAME_HEADER_BYTES);
  #headerBytes = 0;
  /** Block of which some bytes have not arrived yet. */
  #block: Buffer | undefined;
  #blockBytes = 0;
  readonly #keeps: boolean;
  #room = Buffer.alloc(0);

  /** `keeps` is true if the listener keeps assembled blocks. The reader then allocates a new buffer for each assembled block. */
  constructor(listener: FrameListener, { keeps }: { readonly keeps: boolean }) {
    this.#listener = listener;
    this.#keeps = keeps;
  }

  /** Reads the next bytes of the pipe. Calls the listener for each frame that these bytes complete. */
  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) at = this.#block ? this.#fill(this.#block, bytes, at) : this.#begin(bytes, at);
  }

  /** Reads a frame that begins at `at`, or the rest of an incomplete header. Returns the offset of the next unread byte. */
  #begin(bytes: Buffer, at: number): number {
    const body = at + FRAME_HEADER_BYTES;
    if (this.#headerBytes === 0 && body <= bytes.length) {
      const end = body + bytes.readUInt32LE(at + 8);
      if (end <= bytes.length) {
        this.#listener(bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4), bytes.subarray(body - LENGTH_BYTES, end), 'reused');
        return end;
      }
    }
    const taken = bytes.copy(this.#header, this.#headerBytes, at);
    this.#headerBytes += taken;
    if (this.#headerBytes === FRAME_HEADER_BYTES) this.#expect(this.#header.readUInt32LE(8));
    return at + taken;
  }

  #expect(contentBytes: number): void {
    const block = this.#roomFor(LENGTH_BYTES + contentBytes);
    block.writeUInt32LE(contentBytes, 0);
    this.#block = block;
    this.#blockBytes = LENGTH_BYTES;
    if (contentBytes === 0) this.#complete(block);
  }

  #roomFor(bytes: number): Buffer {
    if (this.#keeps || bytes > KEPT_BYTES) return Buffer.allocUnsafeSlow(bytes);
    if (this.#room.length < bytes) this.#room = Buffer.allocUnsafeSlow(bytes);
    return this.#room.subarray(0, bytes);
  }

  #fill(block: Buffer, bytes: Buffer, at: number): number {
    const taken = bytes.copy(block, this.#blockBytes, at);
    this.#blockBytes += taken;
    if (this.#blockBytes === block.length) this.#complete(block);
    return at + taken;
  }

  #complete(block: Buffer): void {
    this.#block = undefined;
    this.#headerBytes = 0;
    this.#listener(this.#header.readUInt32LE(0), this.#header.readUInt32LE(4), block, this.#keeps ? 'own' : 'reused');
  }
}
