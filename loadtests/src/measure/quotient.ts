/** Returns a ÷ b. Undefined if a or b was not measured, or if b is 0 because the measured time was too short for the clock. */
export function quotient(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined || b === 0) return undefined;
  const value = a / b;
  return Number.isFinite(value) ? value : undefined;
}

/** Returns the smallest and the largest of the measured figures; undefined if none was measured. */
export function extent(figures: readonly (number | undefined)[]): { readonly least: number; readonly most: number } | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? undefined : { least: Math.min(...known), most: Math.max(...known) };
}

/** Returns the items for which a figure was measured, each with its figure. */
export function measured<T>(items: readonly T[], figure: (item: T) => number | undefined): { readonly item: T; readonly value: number }[] {
  return items.flatMap((item) => {
    const value = figure(item);
    return value === undefined || !Number.isFinite(value) ? [] : [{ item, value }];
  });
}
