import type { Claim } from '#queue';
import type { Telemetry } from '#telemetry';

/**
 * Counts the claimed chunks (parts of evaluations) that another process began and did not finish, because it died or stopped. The log has
 * one line for all such chunks of an evaluation that are claimed between two reports.
 */
export class TakenOver {
  readonly #telemetry: Telemetry;
  /** Number of chunks since the last report, by the id of their evaluation. */
  readonly #chunks = new Map<string, number>();

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
  }

  /** Counts a claimed chunk if it was claimed before. */
  note({ chunk: { evaluation }, earlierClaims }: Claim): void {
    if (earlierClaims === 0) return;
    this.#telemetry.metrics.counters.takenOverWork.add(1, { kind: 'chunk' });
    this.#chunks.set(evaluation, (this.#chunks.get(evaluation) ?? 0) + 1);
  }

  /** Logs the chunks that were claimed since the last report, with a line for each evaluation. */
  report(): void {
    for (const [evaluation, chunks] of this.#chunks)
      this.#telemetry.log.info({ evaluation, chunks }, 'chunks that another process left unfinished are judged here');
    this.#chunks.clear();
  }
}
