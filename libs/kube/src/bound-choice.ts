/** Size bounds, such as `maxItems`, that a search for suggestions may change, and the values that it may choose. */
export interface BoundChoice {
  /**
   * `missing`: the search only adds bounds. `all`: it also lowers existing bounds if the missing ones do not suffice. A lowered bound breaks
   * stored objects that exceed it.
   */
  readonly changes: 'missing' | 'all';
  /** `common`: values that people choose, such as 64 or 253. `exact`: the largest values that suffice. */
  readonly values: 'common' | 'exact';
}

/** The choice of all places that suggest bounds and have no options for it. */
export const USUAL_CHOICE: BoundChoice = { changes: 'missing', values: 'common' };
