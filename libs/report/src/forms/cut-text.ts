/** Returns a text, shortened to at most `width` code points. A shortened text ends with an ellipsis. */
export function cutText(text: string, width: number): string {
  const points = [...text];
  return points.length > width ? `${points.slice(0, width - 1).join('')}…` : text;
}
