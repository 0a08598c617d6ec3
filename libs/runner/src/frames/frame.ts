/** The kinds of content of a frame between service and engine host. */
export const FRAME = {
  /** A `HostRequest` or a `HostReply`, as `v8.serialize` writes it. */
  message: 0,
  /** A chunk to be judged (`evaluation-frame.ts`), or what came of one (`answer-frame.ts`). */
  evaluation: 1,
} as const;

/** Size of a header: the kind of content, the id of the task, and the length of the content, 32 bits each, least byte first. */
export const FRAME_HEADER_BYTES = 12;
/** The length stands immediately before the content; both together are a block. */
export const LENGTH_BYTES = 4;

/** Writes the header of a frame into its first bytes; the content is what follows, or so many bytes that are sent behind it. */
export function writeHeader(frame: Buffer, holds: number, id: number, contentBytes = frame.length - FRAME_HEADER_BYTES): Buffer {
  frame.writeUInt32LE(holds, 0);
  frame.writeUInt32LE(id, 4);
  frame.writeUInt32LE(contentBytes, 8);
  return frame;
}

/** Returns the content of a block. */
export const contentOf = (block: Buffer): Buffer => block.subarray(LENGTH_BYTES);

/** Takes the kind, the id and the block of a frame. `own`: the block is the listener's; otherwise the listener copies it before it returns. */
export type FrameListener = (holds: number, id: number, block: Buffer, own: boolean) => void;

/** Room for blocks up to this length is used again by a reader whose listener keeps none. */
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

  /** `keeps`: the listener wants blocks for its own, where they are put together anyway. */
  constructor(hear: FrameListener, { keeps }: { readonly keeps: boolean }) {
    this.#hear = hear;
    this.#keeps = keeps;
  }

  /** Takes the next bytes. Calls the listener for each frame that they complete. */
  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) at = this.#block ? this.#fill(this.#block, bytes, at) : this.#begin(bytes, at);
  }

  /** A frame begins here, or its header goes on. Most frames are complete. */
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
