import type { JSX } from 'preact';
import { costText, exactText } from './count-text.ts';

/** Shows a number as people read it; all of its digits when it is pointed at. */
export function Amount({ of }: { readonly of: string }): JSX.Element {
  const [short, exact] = [costText(of), exactText(of)];
  return short === exact ? <>{short}</> : <span title={exact}>{short}</span>;
}
