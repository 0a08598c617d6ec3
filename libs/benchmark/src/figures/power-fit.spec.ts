import { describe, expect, it } from 'vitest';
import { fitTerms } from './least-squares.ts';
import { fitPower } from './power-fit.ts';

const SIZES = [1, 2, 4, 8, 16, 32, 64];
const valuesOf = (value: (size: number) => number) => SIZES.map((size) => ({ size, value: value(size) }));

describe('a fit of a fixed part and a power', () => {
  it.each([
    [3, 0.5, 1],
    [0, 2, 2],
    [100, 1, 1.5],
    [7, 0.01, 3],
  ])('recovers %d + %d·n^%d', (fixed, factor, exponent) => {
    const fit = fitPower(valuesOf((size) => fixed + factor * size ** exponent));
    expect(fit.exponent).toBeCloseTo(exponent, 2);
    expect(fit.fixed).toBeCloseTo(fixed, 1);
    expect(fit.growing / (factor * 64 ** exponent)).toBeCloseTo(1, 2);
  });

  it('never falls with the size', () => {
    expect(fitPower(valuesOf((size) => 10 - size / 10)).growing).toBe(0);
  });
});

describe('a fit of several terms', () => {
  it('recovers the coefficients at the largest size', () => {
    const fit = fitTerms(
      valuesOf((size) => 5 + 3 * size + 2 * size * size),
      [() => 1, (size) => size, (size) => size * size],
    );
    expect(fit?.coefficients.map((coefficient) => Number(coefficient.toFixed(6)))).toEqual([5, 192, 8192]);
    expect(fit?.residual).toBeLessThan(1e-6);
  });

  it('fails for similar terms or too few points', () => {
    expect(
      fitTerms(
        valuesOf((size) => size),
        [(size) => size, (size) => 2 * size],
      ),
    ).toBeUndefined();
    expect(fitTerms([{ size: 1, value: 1 }], [() => 1, (size) => size])).toBeUndefined();
    expect(fitTerms([], [])).toBeUndefined();
  });
});
