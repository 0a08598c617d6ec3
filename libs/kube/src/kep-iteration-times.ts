/** Length of a list in KEP-2876, with the time in ms that the KEP states for iterating this list in plain Go. */
export interface KepIterationTime {
  readonly elements: number;
  readonly ms: number;
}

/**
 * Lengths of lists in KEP-2876, each with the time that the KEP states for iterating the list, in order of increasing length. Source:
 * keps/sig-api-machinery/2876-crd-validation-expression-language.
 */
export const KEP_ITERATION_TIMES = [
  { elements: 30_000, ms: 7 },
  { elements: 300_000, ms: 70 },
  { elements: 1_572_000, ms: 400 },
] as const satisfies readonly KepIterationTime[];
/** Factor by which KEP-2876 (CEL validation of custom resources) allows CEL to be slower than plain Go. */
export const KEP_FACTOR = 5;

/**
 * Returns the time in ms to iterate `elements` elements in plain Go, derived from the lists of KEP-2876 ({@link KEP_ITERATION_TIMES}).
 * Between two lists, the time is interpolated by a power function. Below the shortest and above the longest list, the time is proportional
 * to the length.
 */
export function kepMs(elements: number): number {
  const [first, , last] = KEP_ITERATION_TIMES;
  const i = KEP_ITERATION_TIMES.findIndex((list) => list.elements >= elements);
  const [below, above] = [KEP_ITERATION_TIMES[i - 1], KEP_ITERATION_TIMES[i]];
  if (below === undefined || above === undefined) {
    const near = elements <= first.elements ? first : last;
    return (near.ms * elements) / near.elements;
  }
  return below.ms * (elements / below.elements) ** (Math.log(above.ms / below.ms) / Math.log(above.elements / below.elements));
}
