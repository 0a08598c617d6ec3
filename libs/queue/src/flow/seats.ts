/** Seats one flow may hold while others wait: half of all, at least one; all where the number is unknown. */
export function seatsPerFlow(seats: number): number {
  return seats > 0 ? Math.max(1, Math.ceil(seats / 2)) : Infinity;
}
