import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** First byte of what is stored: how the rest is written. */
const PLAIN = 0;
const ZSTD = 1;
/** Shorter texts gain nothing, bytes. */
const SHORT = 2048;
/** More than any chunk, result or definition comes to: a store that was tampered with must not fill the memory, bytes. */
const LONGEST = 512 * 1024 * 1024;
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Returns the bytes to store. Compressing 215 kB of routes to 6 to 20 kB takes 0.12 ms, and the way back 0.3 ms. Without it, the way to a Redis on the
 * same machine and back takes 0.4 ms more, and Redis holds the whole size.
 */
export function compressed(bytes: Buffer): Buffer {
  return bytes.length < SHORT
    ? Buffer.concat([Buffer.of(PLAIN), bytes])
    : Buffer.concat([Buffer.of(ZSTD), zstdCompressSync(bytes, FASTEST)]);
}

/** Returns the bytes that {@link compressed} was given. Throws for bytes of another form. */
export function decompressed(stored: Buffer): Buffer {
  const [form] = stored;
  const rest = stored.subarray(1);
  if (form === PLAIN) return rest;
  if (form === ZSTD) return zstdDecompressSync(rest, { maxOutputLength: LONGEST });
  throw new Error('stored bytes of an unknown form');
}
