/**
 * Costs of evaluation steps that are no function calls, in cost units. The estimator, the interpreter and generated code use these costs.
 * Source: cel-go common/cost.go, interpreter/runtimecost.go (v0.29.2).
 */

/** Cost of creating a list, a map or a message, excluding the cost of its parts. */
export const LIST_CREATION = 10;
export const MAP_CREATION = 30;
export const MESSAGE_CREATION = 40;

/** Base cost of reading a variable or of evaluating a chain of names, fields and indexes. The steps of the chain cost extra. */
export const CHAIN = 1;
/** Cost of each step in a chain: `.field`, `[key]`, `.?field` or `[?key]`. */
export const STEP = 1;
/** Cost of a call whose declaration states no price. */
export const UNSTATED_CALL = 1;
