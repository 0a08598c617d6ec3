/**
 * What the steps of an evaluation cost that are no functions, in cost units. The estimator, the interpreter and generated code read these.
 * Source: cel-go common/cost.go, interpreter/runtimecost.go (v0.29.2).
 */

/** What making a list, a map or a message costs beside its parts. */
export const LIST_CREATION = 10;
export const MAP_CREATION = 30;
export const MESSAGE_CREATION = 40;

/** What reading a variable, or following a chain of names, fields and indexes, costs beside its steps. */
export const CHAIN = 1;
/** What each step of a chain costs: `.field`, `[key]`, `.?field`, `[?key]`. */
export const STEP = 1;
/** What a call costs whose declaration states no price. */
export const UNSTATED_CALL = 1;
