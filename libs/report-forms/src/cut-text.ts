/** Returns a text, shortened to a width in code points. */
export function cut(text: string, width: number): string {
  const points = [...text];
  return points.length > width ? `${points.slice(0, width - 1).join('')}…` : text;
}
