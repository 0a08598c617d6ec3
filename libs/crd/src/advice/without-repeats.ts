import type { FoundAdvice } from './advice.ts';

/** Removes repeated texts. The first finding with each text is kept. */
export const withoutRepeats = (found: readonly FoundAdvice[]): FoundAdvice[] =>
  found.filter(({ text }, i) => found.findIndex((other) => other.text === text) === i);
