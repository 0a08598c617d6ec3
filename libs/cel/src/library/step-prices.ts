import { exactly } from './range.ts';

/**
 * Costs of evaluation steps other than function calls, in cost units. The estimator, the interpreter and generated code use these costs.
 * Source: cel-go common/cost.go, interpreter/runtimecost.go (v0.29.2).
 */

/** Cost of creating a list, without the cost of its elements. `MAP_CREATION` and `MESSAGE_CREATION` are the costs for maps and messages. */
export const LIST_CREATION = 10;
export const MAP_CREATION = 30;
export const MESSAGE_CREATION = 40;

/**
 * Base cost of evaluating a chain: a variable and the fields and indexes that are selected from it. Each selection is charged separately.
 */
export const CHAIN = 1;
/** Cost of each step in a chain of selections from a variable: `.field`, `[key]`, `.?field` or `[?key]`. */
export const STEP = 1;
/** Cost of a call of a function without a cost formula. */
export const UNSTATED_CALL = 1;

/** Cost of a node that costs nothing itself, in cost units. */
export const FREE = exactly(0n);
/** Cost of one unit. */
export const ONE = exactly(1n);
/** {@link CHAIN} as a range whose two ends are equal, for estimates. In cost units. */
export const CHAIN_COST = exactly(BigInt(CHAIN));
/** {@link STEP} as a range whose two ends are equal, for estimates. In cost units. */
export const STEP_COST = exactly(BigInt(STEP));
/** {@link UNSTATED_CALL} as a range whose two ends are equal, for estimates. In cost units. */
export const CALL_COST = exactly(BigInt(UNSTATED_CALL));
/** {@link LIST_CREATION} as a range whose two ends are equal, for estimates. In cost units. */
export const LIST_COST = exactly(BigInt(LIST_CREATION));
/** {@link MAP_CREATION} as a range whose two ends are equal, for estimates. In cost units. */
export const MAP_COST = exactly(BigInt(MAP_CREATION));
/** {@link MESSAGE_CREATION} as a range whose two ends are equal, for estimates. In cost units. */
export const MESSAGE_COST = exactly(BigInt(MESSAGE_CREATION));
