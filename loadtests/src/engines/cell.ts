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
