/** Returns true if every code point of the text is one UTF-16 unit, so that code point indexes equal string indexes. */
export function isFlat(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdfff) return false;
  }
  return true;
}

/** Returns the UTF-16 index of the code point with the given index. Returns the length of the text if the index is at or beyond the end. */
export function unitIndex(text: string, codePoints: number): number {
  if (codePoints >= text.length) return text.length;
  let index = 0;
  for (let i = 0; i < codePoints && index < text.length; i++) {
    const unit = text.charCodeAt(index);
    index += unit >= 0xd800 && unit <= 0xdbff ? 2 : 1;
  }
  return Math.min(index, text.length);
}
