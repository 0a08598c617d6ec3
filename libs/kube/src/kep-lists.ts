/** A list of KEP-2876, and its time for iterating it in raw Go. */
export interface KepList {
  readonly elements: number;
  readonly ms: number;
}

/** The lists of the KEP, the shortest first. Source: keps/sig-api-machinery/2876-crd-validation-expression-language. */
export const KEP_LISTS = [
  { elements: 30_000, ms: 7 },
  { elements: 300_000, ms: 70 },
  { elements: 1_572_000, ms: 400 },
] as const satisfies readonly KepList[];
/** The KEP allows so many times its raw figures. */
export const KEP_FACTOR = 5;

/** Returns the KEP's raw time for iterating so many elements, ms: a power between two of its sizes, linear outside. */
export function kepMs(elements: number): number {
  const [first, , last] = KEP_LISTS;
  const i = KEP_LISTS.findIndex((list) => list.elements >= elements);
  const [below, above] = [KEP_LISTS[i - 1], KEP_LISTS[i]];
  if (below === undefined || above === undefined) {
    const near = elements <= first.elements ? first : last;
    return (near.ms * elements) / near.elements;
  }
  return below.ms * (elements / below.elements) ** (Math.log(above.ms / below.ms) / Math.log(above.elements / below.elements));
}
