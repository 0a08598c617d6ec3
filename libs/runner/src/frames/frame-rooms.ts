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
