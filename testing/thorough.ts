/**
 * True in thorough test runs, which `ASSAY_THOROUGH=1` selects (`.ci/long` sets it). Normal runs use shorter texts and walks (sequences of
 * steps that a spec tries), and start no fleets of processes. Each spec states what it skips.
 */
export const thorough = process.env['ASSAY_THOROUGH'] !== undefined;

/** Returns all rows of a table of tests in thorough test runs, and every `step`-th row, beginning with the first, in normal runs. */
export const sampled = <Row>(rows: readonly Row[], step: number): readonly Row[] =>
  thorough ? rows : rows.filter((_, i) => i % step === 0);
