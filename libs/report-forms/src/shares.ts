/** Returns the text for a cost relative to its limit: a percentage, or a multiple of the limit if the cost exceeds the limit. */
export const factorText = (factor: number): string =>
  factor > 1 ? `exceeds the limit ${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x` : percent(factor);

/** Returns a share, from 0 to 1, as text in percent. */
export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.001 ? 4 : 1)} %`;
