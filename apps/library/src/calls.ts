import { Cancelled } from '#go';
import type { CancellationToken } from '#go';
import { checkOptions, defaultOptions, sentSlice } from '#documents';
import { mayBeComposite, mayBeMade } from '#kube';
import { cutDocuments } from '#runner/in-process';
import type { DocumentSlice, EvaluationOptions } from '#documents';
import type { Document, ObjectOptions, ServerOptions } from './types.ts';

/**
 * Checks the options of a call and returns them as evaluation options. Throws a `TypeError` that names an invalid option. The schema of the
 * options, which takes long to load, is not needed for a call without options.
 */
export function optionsOf(options: ObjectOptions & { readonly explain?: boolean }): EvaluationOptions {
  const { signal: _, timeoutMs: __, ...wanted } = options;
  if (Object.values(wanted).every((value) => value === undefined)) return defaultOptions();
  const checked = checkOptions(wanted);
  if (!checked.ok) throw new TypeError(checked.status.message);
  return checked.value;
}

/**
 * Returns the bytes of a document. Plain values are written by `JSON.stringify`. Text and bytes are kept unchanged up to the limit of a
 * request; larger ones become the compact JSON that kubectl sends. Throws a `TypeError` for a value that is not a document.
 */
export const sliceOf = (document: Document): DocumentSlice => sentSlice(writtenSlice(document), { cancelled: false });

function writtenSlice(document: Document): DocumentSlice {
  if (document instanceof Uint8Array) return { bytes: document, notation: startsObject(document) ? 'json' : 'yaml' };
  const text = typeof document === 'string' ? document : (JSON.stringify(document) as string | undefined);
  if (typeof text !== 'string') throw new TypeError('a document must be text, bytes or a plain object');
  const bytes = new TextEncoder().encode(text);
  return { bytes, notation: typeof document !== 'string' || startsObject(bytes) ? 'json' : 'yaml' };
}

/**
 * Returns the bytes of a definition. Of a CompositeResourceDefinition, returns the definitions that Crossplane makes: for the composite
 * resource, and then for the claim if there is one.
 */
export function definitionSlices(document: Document): readonly DocumentSlice[] {
  const slice = sliceOf(document);
  if (!mayBeComposite(slice.bytes)) return [slice];
  const { definitions } = cutDocuments(slice.bytes, 'yaml', { definitions: Infinity, objects: Infinity }, { cancelled: false });
  return definitions.some(mayBeMade) ? definitions : [slice];
}

/** Returns the bytes of a definition, or of the first definition that {@link definitionSlices} returns. */
export const definitionSlice = (document: Document): DocumentSlice => definitionSlices(document)[0] ?? sliceOf(document);

const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

function startsObject(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => !WHITE_SPACE.has(byte));
  return first === 0x7b;
}

/** Returns a cancellation token that becomes cancelled after `timeoutMs` ms; it is never cancelled if `timeoutMs` is undefined. */
export function tokenOf({ timeoutMs }: Pick<ServerOptions, 'timeoutMs'>): CancellationToken {
  if (timeoutMs === undefined) return { cancelled: false };
  const end = performance.now() + timeoutMs;
  return {
    get cancelled() {
      return performance.now() > end;
    },
  };
}

/** Returns the error for a call that exceeded its timeout. */
export const timeoutError = ({ timeoutMs }: Pick<ServerOptions, 'timeoutMs'>): DOMException =>
  new DOMException(`it was not done after ${timeoutMs} ms`, 'TimeoutError');

/** Calls `work` synchronously and returns its result. Throws if the signal is already aborted or the timeout passes. */
export function runSync<Result>(options: ServerOptions, work: (token: CancellationToken) => Result): Result {
  options.signal?.throwIfAborted();
  try {
    return work(tokenOf(options));
  } catch (error) {
    throw error instanceof Cancelled ? timeoutError(options) : error;
  }
}

/**
 * Calls `work`, which implements an asynchronous library function, and resolves with its result. `work` itself makes pauses in which other
 * tasks can run. Rejects if the signal is aborted or the timeout passes.
 */
export async function runAsync<Result>(options: ServerOptions, work: (token: CancellationToken) => Promise<Result>): Promise<Result> {
  options.signal?.throwIfAborted();
  const token = tokenOf(options);
  const result = await work(token);
  // A cancelled call has an incomplete result, so it throws.
  options.signal?.throwIfAborted();
  if (token.cancelled) throw timeoutError(options);
  return result;
}
