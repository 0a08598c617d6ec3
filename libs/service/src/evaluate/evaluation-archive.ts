import { lostStatus } from '#evaluation';
import type { EvaluationRecord, Progress } from '#queue';
import type { ServicePorts } from '../ports.ts';
import { answered, declined } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { cancelEvaluation } from './cancel-evaluation.ts';

/** Evaluations that live without their callers: found, followed, read and cancelled by who owns them. */
export class EvaluationArchive {
  readonly #ports: ServicePorts;

  constructor(ports: ServicePorts) {
    this.#ports = ports;
  }

  /** An evaluation, if it is this owner's: another's is as unknown as one that never was. */
  async find(id: string, owner: string | undefined): Promise<EvaluationRecord | undefined> {
    const record = await this.#ports.queue.results.record(id);
    return record && record.owner === owner ? record : undefined;
  }

  /** How far an evaluation is; undefined when it is unknown. */
  progress(id: string): Promise<Progress | undefined> {
    return this.#ports.queue.results.progress(id);
  }

  /** Resolves at the next change of an evaluation's progress, or when `signal` is aborted. */
  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#ports.queue.results.changed(id, signal);
  }

  /** Ends an evaluation early. False when it is over or unknown. */
  cancel(id: string): Promise<boolean> {
    return cancelEvaluation(this.#ports, id);
  }

  /** The verdicts (JSON text each) from item `from` on, as they become available; last, `lost` where a chunk will never come although it was not cancelled. */
  async *verdicts(id: string, from: number, signal: AbortSignal): AsyncGenerator<Outcome<string>> {
    let firstItem = 0;
    for (let index = 0; ; index++) {
      const result = await this.#ports.queue.results.result(id, index, signal);
      if (!result) {
        if (await this.#isLost(id, index, signal)) yield declined('lost', lostStatus());
        return;
      }
      for (const verdict of result.verdicts.slice(Math.max(0, from - firstItem))) yield answered(verdict);
      firstItem += result.verdicts.length;
    }
  }

  async #isLost(id: string, chunk: number, signal: AbortSignal): Promise<boolean> {
    const progress = await this.progress(id);
    const ended = progress?.phase === 'cancelled' || (progress?.phase === 'complete' && chunk >= progress.chunksTotal);
    return !signal.aborted && !ended;
  }
}
