/** Room up to this length is not worth keeping: it comes from a pool of Node's. */
const SMALL_BYTES = 16 * 1024;
/** Room is made in steps of so many bytes, so that the next frame fits into it, too. */
const STEP_BYTES = 64 * 1024;
/** Larger room is not kept. */
const KEPT_BYTES = 1024 * 1024;
/** The most rooms that are kept. */
const KEPT_ROOMS = 16;

/** Room for large frames, used again when they are written: V8 would leave what each of them took until its next collection. */
export class FrameRooms {
  readonly #free: Buffer[] = [];

  /** Bytes of any content. */
  take(bytes: number): Buffer {
    if (bytes <= SMALL_BYTES) return Buffer.allocUnsafe(bytes);
    const fitting = this.#free.findIndex((room) => room.length >= bytes);
    const [room = Buffer.allocUnsafeSlow(STEP_BYTES * Math.ceil(bytes / STEP_BYTES))] = fitting < 0 ? [] : this.#free.splice(fitting, 1);
    return room.subarray(0, bytes);
  }

  /** Nobody reads a frame any more whose room was taken here. */
  giveBack(frame: Buffer): void {
    if (frame.length <= SMALL_BYTES || frame.buffer.byteLength > KEPT_BYTES || this.#free.length >= KEPT_ROOMS) return;
    this.#free.push(Buffer.from(frame.buffer));
  }
}
