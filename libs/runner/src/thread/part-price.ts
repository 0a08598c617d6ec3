import type { PricedPart } from '#crd';
import type { PartPrice } from '#documents';

/**
 * Maximum length of a part's text in a report, in code points. Longer texts are shortened, because inner parts repeat text of outer parts.
 */
const EXCERPT = 200;

/**
 * Converts a part (subexpression) of a rule, with its costs, to the form in which it is sent between processes. In this form, uint64 values
 * are text, and long source texts are shortened.
 */
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

/** Returns the number of parts in an expression's tree of costs, including the root. */
export function countParts({ parts }: PartPrice): number {
  return parts.reduce((sum, part) => sum + countParts(part), 1);
}
