/** A list of KEP-2876, and its time for iterating it in raw Go. */
export interface KepList {
  readonly elements: number;
  readonly ms: number;
}

/** The longest of these lists. */
export const LONGEST_LIST: KepList = { elements: 1_572_000, ms: 400 };
/** The lists of the KEP, the shortest first. Source: keps/sig-api-machinery/2876-crd-validation-expression-language. */
export const KEP_LISTS = [{ elements: 30_000, ms: 7 }, { elements: 300_000, ms: 70 }, LONGEST_LIST] as const satisfies readonly KepList[];
/** The KEP allows so many times its raw figures. */
export const KEP_FACTOR = 5;
