import { describe, expect, it } from 'vitest';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate } from '../search/rule-probe.ts';
import { ValuePlan } from '../values/choice.ts';
import { filledObject, REQUEST_BYTES } from './filled-object.ts';

const dimension = (field: string, unit: Dimension['unit'], most = Infinity): Dimension => ({ field, unit, least: 0, most });
const ITEMS = dimension('.a', 'items');
const FROM: Candidate = { plan: new ValuePlan([['.a[]', { size: 12 }]]), old: 'none' };
/** Size in bytes from which objects are not built. */
const TOO_LARGE = 3_400_000;

/** Returns an object whose list elements have `around` bytes beside a text of at least `least` characters. */
function listOfTexts({ around = 3, least = 0 }: { readonly around?: number; readonly least?: number } = {}) {
  const asked: number[] = [];
  return {
    asked,
    bytes: ({ plan }: Candidate): number | undefined => {
      const bytes = 20 + (plan.at('.a')?.size ?? 0) * (Math.max(least, plan.at('.a[]')?.size ?? 0) + around);
      asked.push(bytes);
      return bytes > TOO_LARGE ? undefined : bytes;
    },
  };
}

const lengthIn = ({ plan }: Candidate): number => plan.at('.a[]')?.size ?? 0;

describe('an object that fills a request', () => {
  it('has texts of the largest length that the schema allows, if a request has room for them', () => {
    const shape = filledObject(listOfTexts(), FROM, { fixed: [ITEMS], free: [dimension('.a[]', 'code points', 253)] }, undefined);
    expect([1, 64, 10_000].map((size) => lengthIn(shape(size)))).toEqual([253, 253, 253]);
  });

  it.each([
    ['texts', {}],
    ['texts with a shortest length', { least: 8 }],
    ['texts in large elements', { around: 90 }],
  ])('fills a request if the schema does not limit texts, and takes at most 10 attempts per size: %s', (_, parts) => {
    const whole = listOfTexts(parts);
    const shape = filledObject(whole, FROM, { fixed: [ITEMS], free: [dimension('.a[]', 'code points')] }, undefined);
    for (const size of [1, 2, 16, 900, 4096, 20_000, 12_000, 16_000, 15_999]) {
      whole.asked.length = 0;
      const bytes = whole.bytes(shape(size)) ?? Infinity;
      expect(bytes).toBeLessThanOrEqual(REQUEST_BYTES);
      // A list of many texts cannot fill a request exactly.
      expect(bytes + size).toBeGreaterThan(0.97 * REQUEST_BYTES);
      expect(whole.asked.length).toBeLessThanOrEqual(10);
      expect(shape(size)).toBe(shape(size));
    }
  });

  it('keeps the text length of the given candidate if even the smallest texts do not fit', () => {
    const shape = filledObject(listOfTexts(), FROM, { fixed: [ITEMS], free: [dimension('.a[]', 'code points')] }, undefined);
    expect(lengthIn(shape(900_000))).toBe(12);
  });
});
