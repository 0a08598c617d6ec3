import { tooManyRequestsStatus } from '#kube';
import type { Flow } from '#queue';
import { StatusFailure } from '../status.filter.ts';

/** When to come back, s. */
const RETRY_SECONDS = 1;

/** The bounds of the bodies that an API process holds, bytes. */
export interface HeldBodyLimits {
  /** Of all clients. */
  readonly bodyBytes: number;
  /** Of one flow. */
  readonly flowBodyBytes: number;
}

/** One body as it comes. */
export interface HeldBody {
  /** Charges so many bytes more; the 429 where there is no room for them. */
  hold(bytes: number): StatusFailure | undefined;
  /** Its request is over. */
  release(): void;
}

/**
 * Bytes of bodies that are read whole, from the first that comes until their requests are over, by flow. The admission queue knows of a request only
 * when its body is there; many large ones that come at once would fill the memory before.
 */
export class HeldBodies {
  readonly #limits: HeldBodyLimits;
  readonly #byFlow = new Map<string, number>();
  #total = 0;

  constructor(limits: HeldBodyLimits) {
    this.#limits = limits;
  }

  /** A body of a flow, of which nothing has come yet. A body is never refused for what it alone holds: that is bounded elsewhere. */
  open({ level, name }: Pick<Flow, 'level' | 'name'>): HeldBody {
    const flow = `${level}/${name}`;
    let own = 0;
    return {
      hold: (bytes) => {
        const { bodyBytes, flowBodyBytes } = this.#limits;
        const others = this.#total - own;
        const othersOfFlow = (this.#byFlow.get(flow) ?? 0) - own;
        if (others > 0 && others + own + bytes > bodyBytes) return full('bodies are being read');
        if (othersOfFlow > 0 && othersOfFlow + own + bytes > flowBodyBytes) return full('bodies of this client are being read');
        own += bytes;
        this.#add(flow, bytes);
        return undefined;
      },
      release: () => {
        this.#add(flow, -own);
        own = 0;
      },
    };
  }

  #add(flow: string, bytes: number): void {
    const held = (this.#byFlow.get(flow) ?? 0) + bytes;
    if (held === 0) this.#byFlow.delete(flow);
    else this.#byFlow.set(flow, held);
    this.#total += bytes;
  }
}

const full = (what: string): StatusFailure =>
  new StatusFailure(tooManyRequestsStatus(`too many bytes of ${what}, please try again later`, RETRY_SECONDS));
