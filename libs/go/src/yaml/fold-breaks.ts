/**
 * What the line ends between two parts of a scalar become: one line feed a space, more of them all but the first. LS and PS stay.
 *
 * @param first the line end after the first part; empty where it was escaped
 * @param others those of the empty lines that follow
 */
export function foldBreaks(first: string, others: string): string {
  if (first !== '\n') return first + others;
  return others === '' ? ' ' : others;
}
