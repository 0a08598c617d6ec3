import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { contentOf, FRAME, FrameReader } from './frame.ts';
import { FrameOutbox } from './frame-outbox.ts';

it.each([100, 16 * 1024, 40 * 1024])(
  'a FrameOutbox sends %i bytes of shared memory unchanged, even if the memory changes while the pipe is full',
  async (bytes) => {
    const written: Buffer[] = [];
    const room = Promise.withResolvers<undefined>();
    /** Pipe that is full at first, and writes its bytes only after the test makes room. */
    const pipe = new Writable({
      highWaterMark: 1,
      write: (chunk: Buffer, _, done) => {
        void room.promise.then(() => {
          written.push(Buffer.from(chunk));
          done();
        });
      },
    });
    const outbox = new FrameOutbox(pipe);
    const board = Buffer.from(new SharedArrayBuffer(bytes));
    for (const [id, letter] of ['a', 'b', 'c'].entries()) {
      board.fill(letter);
      outbox.postContent(FRAME.evaluation, id, board);
      outbox.flush();
    }
    room.resolve(undefined);
    const heard: [number, string][] = [];
    const reader = new FrameReader((_, id, block) => heard.push([id, contentOf(block).toString()]), { keeps: false });
    await new Promise<void>((resolve) => pipe.end(resolve));
    for (const part of written) reader.read(part);
    expect(heard).toEqual(['a', 'b', 'c'].map((letter, id) => [id, letter.repeat(bytes)]));
  },
);
