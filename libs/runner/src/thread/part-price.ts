import type { PricedPart } from '#crd';
import type { PartPrice } from '#evaluation';

/** Code points of a part's text that travel; inner parts repeat what is in outer ones. */
const EXCERPT = 200;

/** Returns a part as it travels: uint64 as text, long excerpts shortened. */
export function partPrice({ text, line, column, estimate, actual, parts }: PricedPart): PartPrice {
  const { own, total, evaluations } = estimate;
  const range = ({ min, max }: typeof own): PartPrice['estimate']['own'] => ({ min: String(min), max: String(max) });
  return {
    text: excerpt(text),
    line,
    column,
    estimate: { own: range(own), total: range(total), evaluations: String(evaluations) },
    ...(actual && { actual }),
    parts: parts.map(partPrice),
  };
}

function excerpt(text: string): string {
  if (text.length <= EXCERPT) return text;
  const codePoints = [...text];
  return codePoints.length <= EXCERPT ? text : `${codePoints.slice(0, EXCERPT - 1).join('')}…`;
}

/** Returns the number of parts of a tree. */
export function countParts({ parts }: PartPrice): number {
  return parts.reduce((sum, part) => sum + countParts(part), 1);
}
