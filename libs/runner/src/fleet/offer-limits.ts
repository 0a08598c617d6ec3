import type { OfferedTask, OfferKind } from './offers.ts';

/** Limits of the tasks that one engine thread of another process has at a time. */
interface SeatLimits {
  /** Number of tasks that a seat always has, so that it need not wait for the next one. */
  readonly tasks: number;
  /** Total expected time in ms of the tasks of a seat, up to which it gets more tasks. Short tasks end faster than new ones arrive. */
  readonly ms: number;
  /** Maximum number of tasks, however short they are. */
  readonly most: number;
}

/** Limits of the tasks of an engine thread by kind. Cells take seconds, so none waits behind another. */
const SEAT_LIMITS: Readonly<Record<OfferKind, SeatLimits>> = {
  runs: { tasks: 2, ms: 60, most: 8 },
  cells: { tasks: 1, ms: 0, most: 1 },
};

/** Returns the maximum number of tasks that `seats` engine threads have at a time. */
export const maxTasks = (kind: OfferKind, seats: number): number => SEAT_LIMITS[kind].most * seats;

/** Returns true if `seats` engine threads that have these tasks can have another one. */
export function hasRoom(kind: OfferKind, seats: number, tasks: readonly Pick<OfferedTask, 'expectedMs'>[]): boolean {
  const limits = SEAT_LIMITS[kind];
  if (tasks.length < limits.tasks * seats) return true;
  if (tasks.length >= limits.most * seats) return false;
  return tasks.reduce((sum, { expectedMs }) => sum + expectedMs, 0) < limits.ms * seats;
}
