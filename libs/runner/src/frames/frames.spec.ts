import { describe, expect, it } from 'vitest';
import { checkOptions, emptyTally } from '#documents';
import type { ChunkResult } from '#documents';
import { AnswerWriter, blockOf, evaluationFrame, EvaluationReader, isSmall, readAnswer } from './evaluation-frame.ts';
import { FrameRooms } from './frame-outbox.ts';
import { contentOf, FRAME, FRAME_HEADER_BYTES, FrameReader, writeHeader } from './frame.ts';

function frameOf(id: number, content: string): Buffer {
  const frame = Buffer.concat([Buffer.alloc(FRAME_HEADER_BYTES), Buffer.from(content)]);
  return writeHeader(frame, FRAME.message, id);
}

describe('frames between processes', () => {
  const contents = ['one', '', 'three '.repeat(20), 'four'];
  const stream = Buffer.concat(contents.map((content, i) => frameOf(i, content)));

  const steps = [1, 2, 3, 5, 11, 12, 13, 17, 64, 1000].flatMap((step) => [true, false].map((keeps) => ({ step, keeps })));
  it.each(steps)('are read completely if they arrive $step bytes at a time (the reader keeps them: $keeps)', ({ step, keeps }) => {
    const heard: [number, string][] = [];
    const reader = new FrameReader((_, id, block) => heard.push([id, contentOf(block).toString()]), { keeps });
    // The reader gets the same buffer each time, as from a socket with one buffer.
    const place = Buffer.alloc(step);
    for (let at = 0; at < stream.length; at += step) reader.read(place.subarray(0, stream.copy(place, 0, at, at + step)));
    expect(heard).toEqual(contents.map((content, i) => [i, content]));
  });

  it('consist of a length and the content', () => {
    const blocks: Buffer[] = [];
    const reader = new FrameReader((_, __, block) => blocks.push(Buffer.from(block)), { keeps: false });
    reader.read(stream);
    for (const byte of stream) reader.read(Buffer.of(byte));
    expect(blocks.slice(0, contents.length)).toEqual(blocks.slice(contents.length));
    expect(blocks.map((block) => block.readUInt32LE(0))).toEqual([...contents, ...contents].map((content) => content.length));
  });
});

describe('the frame of an evaluation', () => {
  const options = checkOptions({ admission: { userInfo: { username: 'Jürgen \ud800' } } });
  if (!options.ok) throw new Error('options');
  const work = {
    kind: 'evaluate',
    firstItem: 7,
    items: [
      { bytes: Buffer.from('{"a":"ä"}'), notation: 'json' },
      { bytes: Buffer.alloc(0), notation: 'yaml' },
      { bytes: Buffer.from('b: 1'), notation: 'yaml' },
    ],
    settings: { options: options.value, definitions: [{ digest: 'd', group: 'g', kind: 'K' }], refused: [], policies: 'p' },
  } as const;
  const reader = new EvaluationReader();

  it('gives back what was written', () => {
    for (const rest of [{}, { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, celLeft: 12.5 }]) {
      const read = reader.read(contentOf(blockOf(evaluationFrame(1, { ...work, ...rest }))));
      expect({ ...read, items: [] }).toEqual({ traceparent: undefined, celLeft: Infinity, ...work, ...rest, items: [] });
      expect(read.items.map(({ bytes, notation }) => [Buffer.from(bytes).toString(), notation])).toEqual(
        work.items.map(({ bytes, notation }) => [bytes.toString(), notation]),
      );
    }
  });

  it('gives the same settings object for equal settings in a thread', () => {
    const [one, two, other] = [
      work,
      { ...work, settings: { ...work.settings } },
      { ...work, settings: { ...work.settings, policies: 'q' } },
    ].map((each) => reader.read(contentOf(blockOf(evaluationFrame(1, each)))).settings);
    expect(two).toBe(one);
    expect(other?.policies).toBe('q');
  });

  it('counts as small up to a number of objects and a number of bytes', () => {
    const [item] = work.items;
    const of = (items: readonly (typeof item)[]): boolean => isSmall(blockOf(evaluationFrame(1, { ...work, items })));
    expect([of([item]), of(Array.from({ length: 10 }, () => item)), of([{ ...item, bytes: Buffer.alloc(10_000) }])]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('memory for frames', () => {
  it('is reused after its release if it is large enough, except for very large frames', () => {
    const rooms = new FrameRooms();
    const first = rooms.take(100_000);
    const second = rooms.take(100_000);
    expect(second.buffer).not.toBe(first.buffer);
    rooms.giveBack(first);
    const third = rooms.take(120_000);
    expect([third.buffer === first.buffer, third.length]).toEqual([true, 120_000]);
    expect(rooms.take(10).length).toBe(10);
    const large = rooms.take(3_000_000);
    rooms.giveBack(large);
    expect(rooms.take(3_000_000).buffer).not.toBe(large.buffer);
  });
});

describe('the frame of an answer', () => {
  const span = { name: 'object', startMs: 1.5, endMs: 2, attributes: { a: 'ü' }, children: [] };
  const results: readonly ChunkResult[] = [
    {
      verdicts: ['{"index":0}', '{"index":1,"name":"b"}'],
      tally: { ...emptyTally(), items: 2, accepted: 2, celCost: 2 ** 40 },
      celCharge: 3,
      spans: [],
    },
    {
      verdicts: ['ä€😀', '', 'plain'],
      tally: { ...emptyTally(), takenOff: 1, phases: { cel: 0, total: 0.25 } },
      celCharge: 0,
      spans: [span],
    },
    { verdicts: [], tally: emptyTally(), celCharge: 0, spans: [] },
    { verdicts: ['x'.repeat(2_000_000)], tally: emptyTally(), celCharge: 0, spans: [span] },
  ];

  it('gives back what was written, even if the memory is reused', () => {
    const writer = new AnswerWriter();
    for (const result of [...results, ...results]) {
      const { result: read, spentMs } = readAnswer(writer.write(result, 4.5));
      const { lines, ...rest } = read;
      expect([rest, spentMs]).toEqual([result, 4.5]);
      expect(Buffer.concat(lines ?? []).toString()).toBe(result.verdicts.map((verdict) => `${verdict}\n`).join(''));
    }
  });
});
