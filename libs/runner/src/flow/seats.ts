/**
 * Returns the number of seats (engine threads) that one flow (the queue of one client) may hold while other flows wait. This is half of all
 * seats, but at least one. Returns Infinity if the number of seats is unknown.
 */
export function seatsPerFlow(seats: number): number {
  return seats > 0 ? Math.max(1, Math.ceil(seats / 2)) : Infinity;
}
