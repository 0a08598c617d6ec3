/** Text that replaces a missing figure. */
export const NOT_MEASURED = 'not measured';

/** Returns true if a figure is missing or not finite. */
export const isMissing = (value: number | undefined): value is undefined => value === undefined || !Number.isFinite(value);

/** Returns a number with at most so many significant digits, without groups: `0.0123`, `1230`. */
export const digits = (value: number, figures = 3): string => String(Number(value.toPrecision(figures)));
