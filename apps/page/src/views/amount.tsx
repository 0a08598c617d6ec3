import type { JSX } from 'preact';
import { costText, exactText } from './count-text.ts';

/** Shows a number in short form. All digits appear when the pointer rests on the number. */
export function Amount({ of }: { readonly of: string }): JSX.Element {
  const [short, exact] = [costText(of), exactText(of)];
  return short === exact ? <>{short}</> : <span title={exact}>{short}</span>;
}
