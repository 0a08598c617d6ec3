import { readFileSync } from 'node:fs';
import type { Envelope } from '#documents';
import { readEnvelope } from '#service';
import type { QueuedEngine } from '#runner';
import type { Telemetry } from '#telemetry';
import { reloadOnChange } from '../access/reload-on-change.ts';
import type { ApiConfig } from '../config.ts';
import { DEFAULT_OPTIONS } from '../evaluations/request-options.ts';

/** Definitions and policies against which the objects of AdmissionReviews are validated. */
export type Rules = Omit<Envelope, 'objects'>;

/**
 * Definitions and policies of the file `ASSAY_ADMISSION_FILE`. The file is read again if it changes. If the new content cannot be read, the
 * previous definitions and policies remain in force.
 */
export class AdmissionRules {
  readonly #config: Pick<ApiConfig, 'admissionFile' | 'maxDefinitions'>;
  readonly #log: Telemetry['log'];
  readonly #stop: (() => void) | undefined;
  #known: Rules | undefined;
  #isStale = true;

  constructor(config: Pick<ApiConfig, 'admissionFile' | 'maxDefinitions' | 'reloadMs'>, { log }: Pick<Telemetry, 'log'>) {
    this.#config = config;
    this.#log = log;
    const { admissionFile: file } = config;
    const reload = (): void => void (this.#isStale = true);
    const unreadable = (error: unknown): void =>
      log.error({ err: error }, 'objects of AdmissionReviews are judged as before: ASSAY_ADMISSION_FILE cannot be read');
    this.#stop = file === undefined ? undefined : reloadOnChange([file], { reload, unreadable }, config.reloadMs);
  }

  /**
   * Returns the present rules. The engine reads the file first if the file has changed since it was last read. Returns undefined if no file
   * is configured, or if the file has never been valid.
   */
  async read(engine: QueuedEngine, signal: AbortSignal): Promise<Rules | undefined> {
    const { admissionFile: file, maxDefinitions: definitions } = this.#config;
    if (file === undefined || !this.#isStale) return this.#known;
    this.#isStale = false;
    try {
      const body = { bytes: readFileSync(file), notation: 'yaml' as const };
      const outcome = await readEnvelope(body, DEFAULT_OPTIONS, { definitions, objects: 0 }, engine, () => signal);
      if (outcome.kind !== 'answered') throw new Error(outcome.status.message);
      this.#known = outcome.answer;
    } catch (error) {
      this.#isStale = this.#known === undefined || signal.aborted;
      this.#log.error({ err: error }, 'objects of AdmissionReviews are judged as before: ASSAY_ADMISSION_FILE is not right');
    }
    return this.#known;
  }

  /** Stops watching the file. */
  stop(): void {
    this.#stop?.();
  }
}
