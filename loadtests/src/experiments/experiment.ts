/** How long a run may take: `quick` is for a first look and for CI, `full` for figures worth keeping. */
export type Thoroughness = 'quick' | 'full';

/** One question asked of the program, with a table as its answer. */
export interface Experiment {
  readonly name: string;
  readonly question: string;
  run(thoroughness: Thoroughness, say: (progress: string) => void): Promise<Table>;
}

/** An answer in rows. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Gates that did not hold: cost units and verdicts, never milliseconds. */
  readonly failedGates: readonly string[];
  readonly notes: readonly string[];
}
