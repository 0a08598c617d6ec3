import { chunkBytes, emptyTally, linedResult, NOTATIONS } from '#documents';
import type { ChunkResult, DocumentSlice, JudgingSettings, Notation, Phases, SpanRecord, Tally } from '#documents';
import { memoizeWeak } from '#go';
import { RUN_LIMITS } from '../limits.ts';
import type { EvaluateWork } from '../protocol.ts';
import { FRAME, FRAME_HEADER_BYTES, LENGTH_BYTES, writeHeader } from './frame.ts';

/**
 * Binary content of a frame: numbers, settings as JSON, traceparent, items. The first numbers have 32 bits: the length of the settings, the
 * first item's index, the number of items, and the traceparent's length. The next numbers are the remaining cost units (a 64-bit float) and
 * the ends of the items (32 bits each). The last numbers have one byte per item, which is the index of its notation.
 */
const FIXED_BYTES = 24;
const END_BYTES = 4;

/** Returns the JSON text of settings. All chunks of an evaluation use the same text. */
const settingsText = memoizeWeak(({ options, definitions, refused, policies }: JudgingSettings) =>
  Buffer.from(JSON.stringify({ options, definitions, refused, policies } satisfies JudgingSettings)),
);

/**
 * Returns the frame (binary message with a header) that sends an evaluation with its items to a host process of the engine. The items are
 * copied into the frame, whose buffer comes from `take`.
 */
export function evaluationFrame(
  id: number,
  { firstItem, items, settings, traceparent = '', celLeft = Infinity }: EvaluateWork,
  take = (bytes: number): Buffer => Buffer.allocUnsafe(bytes),
): Buffer {
  const text = settingsText(settings);
  const endsAt = FRAME_HEADER_BYTES + FIXED_BYTES;
  const notationsAt = endsAt + END_BYTES * items.length;
  const textAt = notationsAt + items.length;
  const itemsAt = textAt + text.length + traceparent.length;
  const frame = take(itemsAt + chunkBytes(items));
  writeHeader(frame, FRAME.evaluation, id);
  frame.writeUInt32LE(text.length, FRAME_HEADER_BYTES);
  frame.writeUInt32LE(firstItem, FRAME_HEADER_BYTES + 4);
  frame.writeUInt32LE(items.length, FRAME_HEADER_BYTES + 8);
  frame.writeUInt32LE(traceparent.length, FRAME_HEADER_BYTES + 12);
  frame.writeDoubleLE(celLeft, FRAME_HEADER_BYTES + 16);
  frame.set(text, textAt);
  frame.write(traceparent, textAt + text.length, 'latin1');
  let at = itemsAt;
  items.forEach(({ bytes, notation }, i) => {
    frame.set(bytes, at);
    at += bytes.length;
    frame.writeUInt32LE(at - itemsAt, endsAt + END_BYTES * i);
    frame[notationsAt + i] = NOTATIONS.indexOf(notation);
  });
  return frame;
}

/**
 * Returns the part of a frame that is passed on to a thread: the length field and the content, without the rest of the header. A frame is a
 * binary message to the process that runs the engine's threads.
 */
export const blockOf = (frame: Buffer): Buffer => frame.subarray(FRAME_HEADER_BYTES - LENGTH_BYTES);

/** Returns true if an evaluation is small enough to be sent to a thread together with other evaluations. */
export const isSmall = (block: Buffer): boolean =>
  block.length <= RUN_LIMITS.smallBytes && block.readUInt32LE(LENGTH_BYTES + 8) <= RUN_LIMITS.smallItems;

/**
 * Maximum number of parsed settings that a thread caches by their text. Caching is useful because many evaluations have the same settings.
 */
const KEPT_SETTINGS = 256;

/** Decoder for evaluations that a worker thread receives as binary messages (frames) from the process that owns the thread. */
export class EvaluationReader {
  readonly #settings = new Map<string, JudgingSettings>();

  /** Returns the evaluation that a frame contains. Its items are views of `content`. */
  read(content: Buffer): EvaluateWork {
    const count = content.readUInt32LE(8);
    const notationsAt = FIXED_BYTES + END_BYTES * count;
    const textAt = notationsAt + count;
    const traceAt = textAt + content.readUInt32LE(0);
    const itemsAt = traceAt + content.readUInt32LE(12);
    const items: DocumentSlice[] = [];
    let at = itemsAt;
    for (let i = 0; i < count; i++) {
      const end = itemsAt + content.readUInt32LE(FIXED_BYTES + END_BYTES * i);
      // Plain Uint8Arrays, because `slice` and `toString` of a Buffer behave differently.
      const bytes = new Uint8Array(content.buffer, content.byteOffset + at, end - at);
      items.push({ bytes, notation: NOTATIONS[content[notationsAt + i] as number] as Notation });
      at = end;
    }
    return {
      kind: 'evaluate',
      firstItem: content.readUInt32LE(4),
      items,
      settings: this.#settingsOf(content.toString('latin1', textAt, traceAt)),
      traceparent: itemsAt === traceAt ? undefined : content.toString('latin1', traceAt, itemsAt),
      celLeft: content.readDoubleLE(16),
    };
  }

  /** Returns the settings that a JSON text describes, from a cache if possible. Each character of `text` represents one byte of UTF-8. */
  #settingsOf(text: string): JudgingSettings {
    const known = this.#settings.get(text);
    if (known) return known;
    if (this.#settings.size >= KEPT_SETTINGS) this.#settings.clear();
    const settings = JSON.parse(Buffer.from(text, 'latin1').toString()) as JudgingSettings;
    this.#settings.set(text, settings);
    return settings;
  }
}

/**
 * Names of the counts in an evaluation's tally (items by outcome, warnings, cost), in the order of a result's binary form. The parts of
 * this form are, in order:
 *
 * - 64-bit floats: the time on the thread in ms, the charged cost units, the counts, and the time of each phase in ms. NaN means that a
 *   phase was
 *   not measured.
 * - A 32-bit integer: the length of the spans' text in bytes.
 * - Texts: the verdicts, each with a line feed behind it, and the spans as JSON if there are any.
 */
const COUNTS = [
  'items',
  'accepted',
  'rejected',
  'notEvaluated',
  'cancelled',
  'warnings',
  'takenOff',
  'celCost',
] as const satisfies (keyof Tally)[];
const PHASES = ['parse', 'schema', 'cel', 'total'] as const satisfies (keyof Phases)[];
const TALLY_AT = 16;
const PHASES_AT = TALLY_AT + 8 * COUNTS.length;
const SPANS_LENGTH_AT = PHASES_AT + 8 * PHASES.length;
const VERDICTS_AT = SPANS_LENGTH_AT + 4;
const LINE_FEED = 0x0a;
/** Maximum number of UTF-8 bytes for one UTF-16 code unit of a string. */
const MAX_CHARACTER_BYTES = 3;
/** Maximum size in bytes of a buffer that is reused for the next answer. */
const KEPT_BYTES = 1024 * 1024;

/**
 * Writer that encodes results of chunks as bytes, one after another, into one reused buffer. An engine thread sends the bytes as the answer
 * for a chunk.
 */
export class AnswerWriter {
  #room = Buffer.allocUnsafeSlow(64 * 1024);

  /**
   * Returns an answer as bytes, which are valid until the next answer is written. `spentMs` is the time in ms for which the work occupied
   * the thread.
   */
  write({ verdicts, tally, celCharge, spans }: ChunkResult, spentMs: number): Buffer {
    const spansText = spans.length === 0 ? '' : JSON.stringify(spans);
    const most = verdicts.reduce((sum, verdict) => sum + verdict.length, spansText.length) * MAX_CHARACTER_BYTES;
    const room = this.#roomOf(VERDICTS_AT + most + verdicts.length);
    room.writeDoubleLE(spentMs, 0);
    room.writeDoubleLE(celCharge, 8);
    COUNTS.forEach((count, i) => room.writeDoubleLE(tally[count], TALLY_AT + 8 * i));
    PHASES.forEach((phase, i) => room.writeDoubleLE(tally.phases[phase] ?? Number.NaN, PHASES_AT + 8 * i));
    let at = VERDICTS_AT;
    for (const verdict of verdicts) {
      at += room.write(verdict, at);
      room[at++] = LINE_FEED;
    }
    const spansBytes = spansText === '' ? 0 : room.write(spansText, at);
    room.writeUInt32LE(spansBytes, SPANS_LENGTH_AT);
    return room.subarray(0, at + spansBytes);
  }

  #roomOf(bytes: number): Buffer {
    if (bytes <= this.#room.length) return this.#room;
    const room = Buffer.allocUnsafeSlow(bytes);
    if (bytes <= KEPT_BYTES) this.#room = room;
    return room;
  }
}

/**
 * Result of the evaluation of a chunk, decoded from the bytes that an engine thread sent. `spentMs` is the time that the thread spent, in
 * ms.
 */
export interface EvaluationAnswer {
  readonly result: ChunkResult;
  readonly spentMs: number;
}

/** Decodes the binary result of an evaluation that a thread sent. The decoded result does not refer to the memory of `content`. */
export function readAnswer(content: Buffer): EvaluationAnswer {
  const tally = emptyTally();
  COUNTS.forEach((count, i) => (tally[count] = content.readDoubleLE(TALLY_AT + 8 * i)));
  PHASES.forEach((phase, i) => {
    const ms = content.readDoubleLE(PHASES_AT + 8 * i);
    if (!Number.isNaN(ms)) tally.phases[phase] = ms;
  });
  const spansBytes = content.readUInt32LE(SPANS_LENGTH_AT);
  const end = content.length - spansBytes;
  const spans = spansBytes === 0 ? [] : (JSON.parse(content.toString('utf8', end)) as SpanRecord[]);
  const lines = Buffer.from(content.subarray(VERDICTS_AT, end));
  return { result: linedResult([lines], { tally, celCharge: content.readDoubleLE(8), spans }), spentMs: content.readDoubleLE(0) };
}
