/**
 * Returns the number of seats (engine threads) that one flow may hold while other flows wait: half of all seats, but at least one. The
 * result is Infinity if the number of seats is unknown.
 */
export function seatsPerFlow(seats: number): number {
  return seats > 0 ? Math.max(1, Math.ceil(seats / 2)) : Infinity;
}
