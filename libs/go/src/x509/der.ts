/** Element of a DER encoding: its tag, and the offsets of its content. */
export interface DerElement {
  readonly tag: number;
  /** Offset of the first byte of the content. `end` is the offset after the last byte of the content. */
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the element that begins at `at` and ends at or before `limit`. Returns undefined if there is no valid element. A length that is
 * indefinite or longer than necessary is invalid in DER.
 */
export function derElement(bytes: Uint8Array, at: number, limit: number): DerElement | undefined {
  if (at + 2 > limit) return undefined;
  const tag = bytes[at] as number;
  const first = bytes[at + 1] as number;
  // Tags above 30 take several bytes, and no certificate has such a tag.
  if ((tag & 0x1f) === 0x1f) return undefined;
  if (first < 0x80) return within({ tag, start: at + 2, end: at + 2 + first }, limit);
  const count = first & 0x7f;
  if (count === 0 || count > 4 || at + 2 + count > limit) return undefined;
  let length = 0;
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + 2 + i] as number);
  const isShortest = length >= 0x80 && bytes[at + 2] !== 0;
  return isShortest ? within({ tag, start: at + 2 + count, end: at + 2 + count + length }, limit) : undefined;
}

/** Returns all elements between two offsets. Returns undefined if the bytes are not a sequence of complete elements. */
export function derElements(bytes: Uint8Array, start: number, end: number): readonly DerElement[] | undefined {
  const elements: DerElement[] = [];
  for (let at = start; at < end;) {
    const element = derElement(bytes, at, end);
    if (element === undefined) return undefined;
    elements.push(element);
    at = element.end;
  }
  return elements;
}

function within(element: DerElement, limit: number): DerElement | undefined {
  return element.end <= limit ? element : undefined;
}
