/** Returns a text of so many characters that ends with the number and is filled with the character before it: texts of different numbers differ. */
export function numberedText(number: number, length: number, fill = 'a'): string {
  return String(number).padStart(length, fill);
}

/** Returns a list of so many elements, each made from its index. */
export function listOf<Element>(length: number, element: (index: number) => Element): Element[] {
  return Array.from({ length }, (_, index) => element(index));
}
