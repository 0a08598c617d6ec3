import { pathOfFlow } from '#runner/flow';
import type { Flow, Refusal } from '#runner/flow';
import type { QueueLimits } from './limits.ts';

/** Minimum size in bytes that is charged for a definition, because its digest and its row or key also need space. */
const MIN_BYTES = 4096;

/**
 * Definition that this process has stored. `path` is the flow that is charged, and `until` is the epoch ms until which the definition is
 * kept.
 */
interface StoredDefinition {
  readonly path: string;
  readonly bytes: number;
  until: number;
}

/** Definition that an evaluation of a {@link Flow} needs to store, with the size that is charged. */
export interface DefinitionCharge {
  readonly digest: string;
  /** Size of the definition's text in bytes. */
  readonly bytes: number;
  /** Time until which the storage keeps the definition at least, in epoch ms. */
  readonly until: number;
  readonly flow: Flow;
  /**
   * Different digest under which the flow was already charged for the same text. The charge ends when the definitions under both digests
   * have expired.
   */
  readonly keptAs?: string | undefined;
}

/**
 * Total size of the definitions that this process has stored, in bytes, by {@link Flow}. A definition is counted until the storage deletes
 * it. A text that is already stored is not charged again. Processes that share a Redis count separately.
 */
export class DefinitionLoad {
  readonly #limits: QueueLimits;
  readonly #stored = new Map<string, StoredDefinition>();
  readonly #byFlow = new Map<string, number>();
  #total = 0;
  /** Time before which no definition expires, in epoch ms. */
  #nextExpiry = Infinity;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Charges a definition to its {@link Flow}, or returns the reason why it must not be stored. The limit of a flow does not apply to the
   * flow's first stored definition, nor to flows of the level `exempt`. The limit of the process does not apply to the first stored
   * definition of the process.
   */
  charge({ digest, bytes, until, flow, keptAs }: DefinitionCharge): Refusal | undefined {
    const known = this.#stored.get(digest);
    if (known) {
      known.until = Math.max(known.until, until);
      return undefined;
    }
    const path = pathOfFlow(flow);
    const kept = keptAs === undefined ? undefined : this.#stored.get(keptAs);
    if (kept?.path === path) {
      kept.until = Math.max(kept.until, until);
      this.#store(digest, { path, bytes: 0, until });
      return undefined;
    }
    const counted = Math.max(bytes, MIN_BYTES);
    const held = this.#byFlow.get(path) ?? 0;
    if (this.#total > 0 && this.#total + counted > this.#limits.definitionBytes) return 'definitions';
    if (flow.level !== 'exempt' && held > 0 && held + counted > flow.limits.definitionBytes) return 'flow-definitions';
    this.#store(digest, { path, bytes: counted, until });
    return undefined;
  }

  /** Removes the definitions that have expired at `now` (epoch ms). Returns their digests. */
  expire(now: number): string[] {
    if (now <= this.#nextExpiry) return [];
    const expired = [...this.#stored].filter(([, { until }]) => until < now);
    this.#nextExpiry = Infinity;
    for (const { until } of this.#stored.values()) if (until >= now) this.#nextExpiry = Math.min(this.#nextExpiry, until);
    for (const [digest, { path, bytes }] of expired) {
      this.#stored.delete(digest);
      this.#add(path, -bytes);
    }
    return expired.map(([digest]) => digest);
  }

  #store(digest: string, definition: StoredDefinition): void {
    this.#stored.set(digest, definition);
    this.#nextExpiry = Math.min(this.#nextExpiry, definition.until);
    this.#add(definition.path, definition.bytes);
  }

  #add(path: string, bytes: number): void {
    const held = (this.#byFlow.get(path) ?? 0) + bytes;
    if (held === 0) this.#byFlow.delete(path);
    else this.#byFlow.set(path, held);
    this.#total += bytes;
  }
}
