import { emptyTally, linedResult } from '#documents';
import type { ChunkResult, Phases, SpanRecord, Tally } from '#documents';

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
const SPANS_AT = PHASES_AT + 8 * PHASES.length;
const VERDICTS_AT = SPANS_AT + 4;
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
    room.writeUInt32LE(spansBytes, SPANS_AT);
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
  const spansBytes = content.readUInt32LE(SPANS_AT);
  const end = content.length - spansBytes;
  const spans = spansBytes === 0 ? [] : (JSON.parse(content.toString('utf8', end)) as SpanRecord[]);
  const lines = Buffer.from(content.subarray(VERDICTS_AT, end));
  return { result: linedResult([lines], { tally, celCharge: content.readDoubleLE(8), spans }), spentMs: content.readDoubleLE(0) };
}
