import { CHAIN, LIST_CREATION, MAP_CREATION, MESSAGE_CREATION, STEP, UNSTATED_CALL } from '../library/step-prices.ts';
import { exactly } from '../library/range.ts';

/** Cost of a node that costs nothing itself, in cost units. */
export const FREE = exactly(0n);
/** Cost of one unit. */
export const ONE = exactly(1n);
/** Range of {@link CHAIN}, in cost units. */
export const CHAIN_COST = exactly(BigInt(CHAIN));
/** Range of {@link STEP}, in cost units. */
export const STEP_COST = exactly(BigInt(STEP));
/** Range of {@link UNSTATED_CALL}, in cost units. */
export const CALL_COST = exactly(BigInt(UNSTATED_CALL));
/** Range of {@link LIST_CREATION}, in cost units. */
export const LIST_COST = exactly(BigInt(LIST_CREATION));
/** Range of {@link MAP_CREATION}, in cost units. */
export const MAP_COST = exactly(BigInt(MAP_CREATION));
/** Range of {@link MESSAGE_CREATION}, in cost units. */
export const MESSAGE_COST = exactly(BigInt(MESSAGE_CREATION));
