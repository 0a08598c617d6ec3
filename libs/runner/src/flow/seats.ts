/**
 * Returns the number of engine threads that one flow may hold while other flows wait. This is half of all threads, but at least one.
 * Returns Infinity if the number of threads is unknown.
 */
export function seatsPerFlow(seats: number): number {
  return seats > 0 ? Math.max(1, Math.ceil(seats / 2)) : Infinity;
}
