/**
 * Costs of evaluation steps that are no functions, in cost units. The estimator, the interpreter and generated code use
 * them. Source: cel-go common/cost.go, interpreter/runtimecost.go (v0.29.2).
 */

/** Cost of making a list, a map or a message, besides its parts. */
export const LIST_CREATION = 10;
export const MAP_CREATION = 30;
export const MESSAGE_CREATION = 40;

/** Cost of reading a variable or following a chain of names, fields and indexes, besides its steps. */
export const CHAIN = 1;
/** Cost of each step of a chain: `.field`, `[key]`, `.?field`, `[?key]`. */
export const STEP = 1;
/** Cost of a call whose declaration states no price. */
export const UNSTATED_CALL = 1;
