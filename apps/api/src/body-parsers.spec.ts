import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { collectBody } from './body-parsers.ts';

/** Returns a stream that emits `bytes` in pieces of `piece` bytes. */
function stream(bytes: Buffer, piece: number): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
    })(),
    { objectMode: false },
  );
}

const upTo = (limit: number) => ({ limit, hold: () => undefined });

const body = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));

describe('collecting a request body', () => {
  it.each([
    [1, 70_000],
    [1000, 300_000],
    [65_536, 300_000],
    [300_000, 300_000],
  ])('gives the whole body if it arrives in pieces of %i bytes', async (piece, length) => {
    const part = body.subarray(0, length);
    expect((await collectBody(stream(part, piece), length, upTo(length))).equals(part)).toBe(true);
    expect((await collectBody(stream(part, piece), NaN, upTo(length))).equals(part)).toBe(true);
  });

  it('gives an empty body', async () => {
    expect(await collectBody(stream(Buffer.alloc(0), 1), 0, upTo(10))).toHaveLength(0);
    expect(await collectBody(stream(Buffer.alloc(0), 1), NaN, upTo(10))).toHaveLength(0);
  });

  it.each([
    ['announced to be', 300_000],
    ['without a length', NaN],
  ])('rejects a body that is longer than its limit, %s', async (_, announced) => {
    const payload = new PassThrough();
    const collected = collectBody(payload, announced, upTo(200_000));
    for (let at = 0; at < body.length; at += 50_000) payload.write(body.subarray(at, at + 50_000));
    await expect(collected).rejects.toMatchObject({ status: { code: 413 } });
    // The connection must stay open for the response.
    expect(payload.destroyed).toBe(false);
  });

  it('allocates no memory for bytes that Content-Length announces and that do not arrive', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const payloads = Array.from({ length: 20 }, () => new PassThrough());
    const collected = payloads.map((payload) => collectBody(payload, 50_000_000, upTo(60_000_000)));
    for (const payload of payloads) payload.write('{');
    await new Promise((soon) => setImmediate(soon));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
    for (const payload of payloads) payload.destroy(new Error('broken off'));
    expect((await Promise.allSettled(collected)).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('rejects a body whose length differs from Content-Length', async () => {
    for (const announced of [299_999, 300_001])
      await expect(collectBody(stream(body, 1000), announced, upTo(400_000))).rejects.toMatchObject({ status: { code: 400 } });
  });

  it('rejects a body that ends early', async () => {
    const payload = new PassThrough();
    const collected = collectBody(payload, NaN, upTo(10));
    payload.destroy(new Error('aborted'));
    await expect(collected).rejects.toMatchObject({ message: 'aborted', statusCode: 400 });
  });
});
