import type { FoundAdvice } from './advice.ts';

/** Returns each text once, at the first place that it is about. */
export const saidOnce = (found: readonly FoundAdvice[]): FoundAdvice[] =>
  found.filter(({ text }, i) => found.findIndex((other) => other.text === text) === i);
