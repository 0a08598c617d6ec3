/**
 * True for the long form of the tests, which `ASSAY_THOROUGH=1` asks for (`.ci/long` sets it).
 * The short form takes shorter texts and walks, and starts no fleets of processes; each spec names what it skips.
 */
export const thorough = process.env['ASSAY_THOROUGH'] !== undefined;
