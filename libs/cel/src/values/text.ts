/** Returns true if every code point is one UTF-16 unit. Then code point indexes are string indexes. */
export function isFlat(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdfff) return false;
  }
  return true;
}

/** Returns the index in UTF-16 units of a code point index; the length of the text when it lies at or beyond the end. */
export function unitIndex(text: string, codePoints: number): number {
  if (codePoints >= text.length) return text.length;
  let index = 0;
  for (let i = 0; i < codePoints && index < text.length; i++) {
    const unit = text.charCodeAt(index);
    index += unit >= 0xd800 && unit <= 0xdbff ? 2 : 1;
  }
  return Math.min(index, text.length);
}
