import { Float, formatQuantity, parseQuantity, quantityFloat64, quantityInt64, quantitySign } from '#go';
import type { JsonValue } from '#go';
import type { UpstreamJudge } from '../upstream-answer.ts';
import { AGREE, differ, skip, textOrEmpty } from './compare-run.ts';

const numberOf = (value: JsonValue | undefined): number => (value instanceof Float ? value.value : Number(value));

/** Compares Assay's results with lines of the table `quantities`: the parsed value of a text, or the error. */
export const judgeQuantity: UpstreamJudge = (line) => {
  const text = line['value'];
  if (typeof text !== 'string') return skip('a text that is not UTF-8');
  const parsed = parseQuantity(text, 'exact');
  if (!parsed.ok || line['error'] !== undefined) {
    const ours = parsed.ok ? 'a quantity' : parsed.error;
    return ours === textOrEmpty(line['error'])
      ? AGREE
      : differ('error text', textOrEmpty(line['error']), ours, { verdict: parsed.ok || line['error'] === undefined });
  }
  const { quantity } = parsed;
  // Some quantities keep the text from which they were parsed, but CEL never shows this text.
  const canonical = line['canonical'] === text ? text : formatQuantity(quantity);
  const facts = (answers: readonly unknown[]): string => answers.map(String).join(' ');
  const golden = facts([line['canonical'], line['format'], line['sign'], line['asInt64'], numberOf(line['approximateFloat'])]);
  const ours = facts([canonical, quantity.format, quantitySign(quantity), quantityInt64(quantity), quantityFloat64(quantity)]);
  return ours === golden ? AGREE : differ('quantity', golden, ours);
};
