import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import { runInSteps } from '#documents';
import { tooLargeStatus } from '#kube';
import { wholeOrReadable } from './evaluations/write-answer.ts';
import { StatusFailure } from './status.filter.ts';

/**
 * Depth down to which the members of lists and objects in an answer are written one by one. Values below this depth are small and are
 * written whole.
 */
const DEPTH = 5;
/** Number of characters of an answer that are written in one step. */
const PIECE_CHARACTERS = 64 * 1024;

/**
 * Returns a JSON answer that is written completely before it is sent. The answer is written in steps between which other work may run.
 * Throws the 413 failure if the answer would be longer than `maxBytes`.
 */
export async function wholeAnswer(reply: FastifyReply, answer: unknown, maxBytes: number): Promise<string | Readable> {
  const pieces = await runInSteps(pieceSteps(answer, maxBytes));
  void reply.type('application/json; charset=utf-8');
  return wholeOrReadable(given(pieces));
}

async function* given(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

function* pieceSteps(answer: unknown, maxBytes: number): Generator<undefined, string[]> {
  const pieces: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const text of texts(answer, DEPTH)) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) throw new StatusFailure(tooLargeStatus(`the answer would be longer than ${maxBytes} bytes`));
    pieces.push(piece);
    piece = '';
    yield;
  }
  return [...pieces, piece];
}

/** Yields the JSON text of a value as `JSON.stringify` writes it, split into the texts of its members. */
function* texts(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || typeof value !== 'object' || value === null) return yield JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    yield '[';
    for (const [i, element] of value.entries()) {
      if (i > 0) yield ',';
      yield* texts(element, depth - 1);
    }
    return yield ']';
  }
  let separator = '{';
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    yield* texts(member, depth - 1);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}
