import { CHUNK_LIMITS, OFFERED_RUN_LIMITS } from '#documents';
import type { RunLimits } from '#documents';
import { expectedMs } from '../flow/index.ts';
import type { WaitingWork } from './waiting-work.ts';

/**
 * Expected time in ms from which a run is offered to other processes. Sending a run and its result takes the processes more than one ms of
 * computing time.
 */
const RUN_MS = 5;
/** Expected time of one item in ms from which a run is offered. Sending shorter items takes the processes as long as their evaluation. */
const ITEM_MS = 0.02;

/** Returns no bound of seats for a run that is worth sending to another process, and 0 for other work. */
export const worthSending = ({ mayLeave, items, bytes }: WaitingWork, _: string, itemMs: number): number =>
  mayLeave && itemMs >= ITEM_MS && expectedMs(itemMs, items, bytes) >= RUN_MS ? Infinity : 0;

/** Returns the limits of the runs of an arriving batch whose items are expected to take `itemMs` ms each, if other processes have free seats. */
export const limitsWorthSending = (itemMs: number): RunLimits => (itemMs >= ITEM_MS ? OFFERED_RUN_LIMITS : CHUNK_LIMITS);
