/**
 * Returns the text that replaces the line ends between two parts of a scalar. A single line feed becomes a space; of
 * several the first is dropped. LS and PS stay.
 *
 * @param first the line end after the first part; empty if it is escaped
 * @param others the line ends of the empty lines that follow
 */
export function foldBreaks(first: string, others: string): string {
  if (first !== '\n') return first + others;
  return others === '' ? ' ' : others;
}
