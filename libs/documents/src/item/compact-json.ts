import { Cancelled, utf8Bytes, writeJson } from '#go';
import type { CancellationToken } from '#go';
import { MAX_BODY_BYTES } from '#kube';
import { MAX_ITEM_BYTES, readSlice } from './item.ts';
import type { DocumentSlice } from './item.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** Number of bytes after which the token is asked again. */
const STEP = 64 * 1024;

/**
 * Returns a JSON text without the white space between its tokens, as kubectl sends it. One blank stays between two tokens that would become
 * one, so that broken JSON stays broken. Returns the same bytes if they have no such white space, or if more than `most` bytes would stay.
 * Throws `Cancelled` if the token requests cancellation.
 */
export function compactJson(bytes: Uint8Array, most: number, token: CancellationToken): Uint8Array {
  const size = copyTokens(bytes, undefined, most, token);
  if (size === bytes.length || size > most) return bytes;
  const compact = new Uint8Array(size);
  copyTokens(bytes, compact, most, token);
  return compact;
}

/** Copies the tokens of a JSON text to `to`, if it is given. Returns their size in bytes, or a size above `most` if it is larger. */
function copyTokens(bytes: Uint8Array, to: Uint8Array | undefined, most: number, token: CancellationToken): number {
  let size = 0;
  let isInText = false;
  let wasSpace = false;
  let wasEscape = false;
  let last = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (at % STEP === 0 && token.cancelled) throw new Cancelled();
    const byte = bytes[at] as number;
    if (!isInText && (byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09)) {
      wasSpace = true;
      continue;
    }
    if (wasSpace && isWord(last) && isWord(byte)) {
      if (to !== undefined) to[size] = SPACE;
      size += 1;
    }
    if (to !== undefined) to[size] = byte;
    size += 1;
    if (size > most) return size;
    if (byte === QUOTE && !wasEscape) isInText = !isInText;
    wasEscape = isInText && byte === BACKSLASH && !wasEscape;
    wasSpace = false;
    last = byte;
  }
  return size;
}

/** Returns true if a byte is part of a number or of a word such as `null`. All other tokens of JSON are one byte, or begin with a quote. */
const isWord = (byte: number): boolean => !(byte === 0 || byte === QUOTE || '{}[],:'.includes(String.fromCharCode(byte)));

/**
 * Returns the compact JSON that kubectl sends, if the written document exceeds the limit of a request. Returns smaller documents, and documents
 * that cannot be read, unchanged. Throws `Cancelled` if the token requests cancellation.
 */
export function sentSlice<Slice extends DocumentSlice>(slice: Slice, token: CancellationToken): Slice {
  const { bytes, notation } = slice;
  if (bytes.length <= MAX_BODY_BYTES || notation === 'unread') return slice;
  if (notation === 'json') return { ...slice, bytes: compactJson(bytes, MAX_ITEM_BYTES, token) };
  const reading = bytes.length <= MAX_ITEM_BYTES ? readSlice(slice, token) : undefined;
  return reading?.ok === true ? { ...slice, bytes: utf8Bytes(writeJson(reading.value)), notation: 'json' } : slice;
}
