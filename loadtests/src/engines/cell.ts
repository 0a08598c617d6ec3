/** What one engine needed for one case at one size. */
export interface Cell {
  readonly size: number;
  /** The fastest run: the smaller of wall clock and CPU time. Undefined where it was left out. */
  readonly nsPerStep?: number | undefined;
  /** The fastest runs of some spans of time, in turn. Absent from an engine that tells the fastest run alone. */
  readonly spans?: readonly number[];
  readonly cost?: number | undefined;
  readonly error?: string | undefined;
}

/** The faster of two measurements of the same. */
export function fasterCell(a: Cell | undefined, b: Cell | undefined): Cell | undefined {
  if (a?.nsPerStep === undefined) return b ?? a;
  return b?.nsPerStep === undefined || a.nsPerStep <= b.nsPerStep ? a : b;
}
