/** Start and end of a match in a text, in UTF-16 code units. */
export interface MatchSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the texts of non-overlapping matches from left to right. The result has at most `limit` texts, or all if `limit` is negative.
 * `find` returns the leftmost match at or after an offset.
 */
export function textsOfMatches(text: string, limit: number, find: (from: number) => MatchSpan | undefined): string[] {
  const found: string[] = [];
  let previousEnd = -1;
  for (let from = 0; from <= text.length && found.length !== limit;) {
    const span = find(from);
    if (span === undefined) break;
    // Go drops an empty match that touches the previous match.
    if (span.start !== span.end || span.start !== previousEnd) found.push(text.slice(span.start, span.end));
    previousEnd = span.end;
    from = placeAfter(text, span);
  }
  return found;
}

/** Returns the offset at which the search for the next match starts. After an empty match, it is one character after this match. */
function placeAfter(text: string, { start, end }: MatchSpan): number {
  return end > start ? end : end + lengthAt(text, end);
}

/** Returns the number of UTF-16 code units of the character at an offset. */
export function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
