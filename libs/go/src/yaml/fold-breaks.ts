/**
 * Returns the text that replaces the line ends between two parts of a scalar. A single line feed becomes a space. If there are several line
 * ends, the first is dropped. LS and PS are kept.
 *
 * @param first line end after the first part; empty if it is escaped
 * @param others line ends of the empty lines that follow
 */
export function foldBreaks(first: string, others: string): string {
  if (first !== '\n') return first + others;
  return others === '' ? ' ' : others;
}
