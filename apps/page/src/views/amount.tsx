import type { JSX } from 'preact';
import { costWords, exactCost } from '#numbers';

/** Shows a number in short form. All digits appear when the pointer rests on the number. */
export function Amount({ of }: { readonly of: string }): JSX.Element {
  const [short, exact] = [costWords(of), exactCost(of)];
  return short === exact ? <>{short}</> : <span title={exact}>{short}</span>;
}
