/** The kinds of content of a frame between service and engine host. */
export const FRAME = {
  /** A `HostRequest` or a `HostReply`, as `v8.serialize` writes it. */
  message: 0,
  /** Content is a chunk to be judged (`evaluation-frame.ts`) or the result of a chunk (`answer-frame.ts`). */
  evaluation: 1,
} as const;

/** Size of a header: the kind of content, the id of the task, and the length of the content, 32 bits each, least byte first. */
export const FRAME_HEADER_BYTES = 12;
/** Size in bytes of the length field, which immediately precedes the content. Length and content together are a block. */
export const LENGTH_BYTES = 4;

/**
 * Writes the header of a frame into its first bytes. The content is the rest of `frame`, or `contentBytes` bytes that are sent after it.
 */
export function writeHeader(frame: Buffer, holds: number, id: number, contentBytes = frame.length - FRAME_HEADER_BYTES): Buffer {
  frame.writeUInt32LE(holds, 0);
  frame.writeUInt32LE(id, 4);
  frame.writeUInt32LE(contentBytes, 8);
  return frame;
}

/** Returns the content of a block. */
export const contentOf = (block: Buffer): Buffer => block.subarray(LENGTH_BYTES);

/**
 * Listener that receives the kind, the id and the block of a frame. If `own` is true, the block belongs to the listener. Otherwise the
 * listener must copy the block before it returns.
 */
export type FrameListener = (holds: number, id: number, block: Buffer, own: boolean) => void;

/** Size in bytes up to which a reader reuses its buffer for blocks, unless its listener keeps the blocks. */
const KEPT_BYTES = 1024 * 1024;

/** Puts frames together from the bytes of a pipe, however they were cut on the way. */
export class FrameReader {
  readonly #hear: FrameListener;
  readonly #header = Buffer.alloc(FRAME_HEADER_BYTES);
  #headerBytes = 0;
  /** The block that is not complete yet. */
  #block: Buffer | undefined;
  #blockBytes = 0;
  readonly #keeps: boolean;
  #room = Buffer.alloc(0);

  /** `keeps` is true if assembled blocks belong to the listener. The reader then allocates a new buffer for each assembled block. */
  constructor(hear: FrameListener, { keeps }: { readonly keeps: boolean }) {
    this.#hear = hear;
    this.#keeps = keeps;
  }

  /** Takes the next bytes. Calls the listener for each frame that they complete. */
  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) at = this.#block ? this.#fill(this.#block, bytes, at) : this.#begin(bytes, at);
  }

  /**
   * Reads a frame that begins at `at`, or the rest of an incomplete header. Most frames are complete. Returns the offset of the next unread
   * byte.
   */
  #begin(bytes: Buffer, at: number): number {
    const body = at + FRAME_HEADER_BYTES;
    if (this.#headerBytes === 0 && body <= bytes.length) {
      const end = body + bytes.readUInt32LE(at + 8);
      if (end <= bytes.length) {
        this.#hear(bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4), bytes.subarray(body - LENGTH_BYTES, end), false);
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
    this.#hear(this.#header.readUInt32LE(0), this.#header.readUInt32LE(4), block, this.#keeps);
  }
}
