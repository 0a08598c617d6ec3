import { pathOfFlow } from './flow.ts';
import type { Flow } from './flow.ts';
import type { QueueLimits } from '../limits.ts';
import type { Refusal } from './flow-load.ts';

/** The least size for which a definition counts, bytes: its digest and its row or key take room, too. */
const LEAST_BYTES = 4096;

/** A definition that this process had stored: whose flow is charged for it, and until when it is kept, epoch ms. */
interface StoredDefinition {
  readonly path: string;
  readonly bytes: number;
  until: number;
}

/** A definition that is to be stored. */
export interface DefinitionCharge {
  readonly digest: string;
  /** Of its text. */
  readonly bytes: number;
  /** Epoch ms; the storage keeps it that long at least. */
  readonly until: number;
  readonly flow: Flow;
  /** Another digest that the flow was charged with for the same text: it is charged until both are gone. */
  readonly keptAs?: string | undefined;
}

/**
 * Bytes of the definitions that this process had stored, by flow, each until the storage drops it. A text that is there already costs nobody
 * anything again. Processes that share a Redis count each for itself.
 */
export class DefinitionLoad {
  readonly #limits: QueueLimits;
  readonly #stored = new Map<string, StoredDefinition>();
  readonly #byFlow = new Map<string, number>();
  #total = 0;
  /** Before this time, epoch ms, nothing expires. */
  #nextExpiry = Infinity;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Charges a definition to its flow; or says why it is not to be stored. A flow that holds nothing may store one of any size. */
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
    const counted = Math.max(bytes, LEAST_BYTES);
    const held = this.#byFlow.get(path) ?? 0;
    if (this.#total > 0 && this.#total + counted > this.#limits.definitionBytes) return 'definitions';
    if (flow.level !== 'exempt' && held > 0 && held + counted > flow.limits.definitionBytes) return 'flow-definitions';
    this.#store(digest, { path, bytes: counted, until });
    return undefined;
  }

  /** Takes off what is no longer kept at a time, epoch ms; gives the digests. */
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
