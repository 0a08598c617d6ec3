import { Cancelled } from '#go';
import type { CancellationToken } from '#go';
import { checkOptions } from '#evaluation';
import type { DocumentSlice, EvaluationOptions } from '#evaluation';
import type { Document, ObjectOptions, ServerOptions } from './types.ts';

/** Returns the options of a call, checked. Throws a `TypeError` that names what is wrong with them. */
export function optionsOf(options: ObjectOptions & { readonly explain?: boolean }): EvaluationOptions {
  const { signal: _, timeoutMs: __, ...wanted } = options;
  const checked = checkOptions(wanted);
  if (!checked.ok) throw new TypeError(checked.status.message);
  return checked.value;
}

/** Returns the bytes of a document: text and bytes unchanged, plain values by `JSON.stringify`. Throws a `TypeError` for a value that is no document. */
export function sliceOf(document: Document): DocumentSlice {
  if (document instanceof Uint8Array) return { bytes: document, notation: startsObject(document) ? 'json' : 'yaml' };
  const text = typeof document === 'string' ? document : (JSON.stringify(document) as string | undefined);
  if (typeof text !== 'string') throw new TypeError('a document must be text, bytes or a plain object');
  const bytes = new TextEncoder().encode(text);
  return { bytes, notation: typeof document !== 'string' || startsObject(bytes) ? 'json' : 'yaml' };
}

const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

function startsObject(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => !WHITE_SPACE.has(byte));
  return first === 0x7b;
}

/** Returns a token that is raised once a call has taken too long, if it may only take so long. */
export function tokenOf({ timeoutMs }: Pick<ServerOptions, 'timeoutMs'>): CancellationToken {
  if (timeoutMs === undefined) return { cancelled: false };
  const end = performance.now() + timeoutMs;
  return {
    get cancelled() {
      return performance.now() > end;
    },
  };
}

/** Returns the error of a call that took too long. */
export const timeoutError = ({ timeoutMs }: Pick<ServerOptions, 'timeoutMs'>): DOMException =>
  new DOMException(`it was not done after ${timeoutMs} ms`, 'TimeoutError');

/** Runs work of a call at once; what was stopped throws. */
export function atOnce<Result>(options: ServerOptions, work: (token: CancellationToken) => Result): Result {
  options.signal?.throwIfAborted();
  try {
    return work(tokenOf(options));
  } catch (error) {
    throw error instanceof Cancelled ? timeoutError(options) : error;
  }
}

/** Runs work of a call that others may interrupt; what was stopped rejects. */
export async function inTurns<Result>(options: ServerOptions, work: (token: CancellationToken) => Promise<Result>): Promise<Result> {
  options.signal?.throwIfAborted();
  const token = tokenOf(options);
  const result = await work(token);
  // What was stopped on the way is missing from the result.
  options.signal?.throwIfAborted();
  if (token.cancelled) throw timeoutError(options);
  return result;
}
