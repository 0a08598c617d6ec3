import { scanElements, scanMembers } from './scan-members.ts';

/**
 * Parts of a JSON value that are wanted: `true` for a small value as a whole, the wanted members of an object, or a list with the parts that
 * are wanted of each element.
 */
export type WantedParts = true | readonly [WantedParts] | { readonly [key: string]: WantedParts };

/** Largest size of a part that is parsed as a whole, in bytes. A larger part is left out. */
const MAX_PART_BYTES = 64 * 1024;

/**
 * Reads the wanted parts of a JSON value without building the rest of the value. Yields before each scan, so that other work can run.
 * Returns undefined for a part that is missing, too large, or of another type than wanted. Of a repeated member, the last one counts, as in
 * Go. The bytes of the rest are not checked.
 */
export function* readParts(bytes: Buffer, wanted: WantedParts): Generator<undefined, unknown> {
  yield;
  if (wanted === true) return bytes.length > MAX_PART_BYTES ? undefined : parsed(bytes);
  if (isNull(bytes)) return null;
  if (isList(wanted)) {
    const elements: unknown[] = [];
    const spans = scanElements(bytes, { start: 0, end: bytes.length }, Infinity);
    for (const { start, end } of spans ?? []) elements.push(yield* readParts(bytes.subarray(start, end), wanted[0]));
    return spans && elements;
  }
  const scan = scanMembers(bytes);
  if (!scan.ok) return undefined;
  const parts: [string, unknown][] = [];
  for (const [key, part] of Object.entries(wanted)) {
    const span = scan.spans.findLast((one) => one.key === key);
    const value = span && (yield* readParts(bytes.subarray(span.start, span.end), part));
    if (value !== undefined) parts.push([key, value]);
  }
  return Object.fromEntries(parts);
}

const isList = (wanted: WantedParts): wanted is readonly [WantedParts] => Array.isArray(wanted);
const isNull = (bytes: Buffer): boolean => bytes.length === 4 && bytes.toString('latin1') === 'null';

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return undefined;
  }
}
