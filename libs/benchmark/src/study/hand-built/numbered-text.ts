/**
 * Returns a text of `length` characters that ends with `number` and is filled at the start with `fill`. Texts with different numbers are
 * different.
 */
export function numberedText(number: number, length: number, fill = 'a'): string {
  return String(number).padStart(length, fill);
}

/** Returns a list of `length` elements, each created from its index. */
export function listOf<Element>(length: number, element: (index: number) => Element): Element[] {
  return Array.from({ length }, (_, index) => element(index));
}
