/** Splits a text into its code points. */
function explode(text: string, limit: number): string[] {
  const points = [...text];
  if (limit < 0 || points.length <= limit) return points;
  return [...points.slice(0, limit - 1), points.slice(limit - 1).join('')];
}

/** Splits as Go's strings.SplitN: a negative limit means all parts, zero none; the last part keeps the rest. */
export function goSplit(text: string, separator: string, limit: number): string[] {
  if (limit === 0) return [];
  if (separator === '') return explode(text, limit);
  if (limit < 0) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  while (parts.length < limit - 1) {
    const found = text.indexOf(separator, start);
    if (found < 0) break;
    parts.push(text.slice(start, found));
    start = found + separator.length;
  }
  parts.push(text.slice(start));
  return parts;
}

/** Replaces as Go's strings.Replace: an empty part matches before each code point and at the end; a negative limit means all. */
export function replaceText(text: string, part: string, replacement: string, limit: number): string {
  if (part === replacement || limit === 0) return text;
  if (part !== '') {
    if (limit < 0) return text.split(part).join(replacement);
    return goSplit(text, part, limit + 1).join(replacement);
  }
  const points = [...text];
  const count = limit < 0 ? points.length + 1 : Math.min(limit, points.length + 1);
  let edited = '';
  for (let i = 0; i <= points.length; i++) edited += (i < count ? replacement : '') + (points[i] ?? '');
  return edited;
}
