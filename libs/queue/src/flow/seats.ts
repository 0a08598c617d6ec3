/**
 * Returns the number of seats that one flow may hold while others wait: half of all seats, but at least one. The result is unlimited if the
 * number of seats is unknown.
 */
export function seatsPerFlow(seats: number): number {
  return seats > 0 ? Math.max(1, Math.ceil(seats / 2)) : Infinity;
}
