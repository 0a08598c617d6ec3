/** Limits for the request bodies that a process holds in memory, in bytes. */
export interface HeldBodyLimits {
  /** Maximum number of bytes in memory for the request bodies of all clients together. */
  readonly bodyBytes: number;
  /** Maximum number of bytes in memory for the request bodies of one flow. */
  readonly flowBodyBytes: number;
}

/** Memory account of one request body. It counts the bytes of the body from their arrival until the request is complete. */
export interface HeldBody {
  /**
   * Charges `bytes` more bytes to this body. Returns the reason for a refusal if they would exceed the limit of the process or the flow;
   * undefined if they are charged.
   */
  hold(bytes: number): string | undefined;
  /** Frees all bytes that are charged to this body. Called when the request to which the body belongs is complete. */
  release(): void;
}

/**
 * Count of the bytes of request bodies that are read whole, for each flow. Bytes are counted from their arrival until the request is
 * complete. The admission queue counts a request only after its body has arrived, so many large bodies that arrive at once could otherwise
 * fill the memory.
 */
export class HeldBodies {
  readonly #limits: HeldBodyLimits;
  readonly #byFlow = new Map<string, number>();
  #total = 0;

  constructor(limits: HeldBodyLimits) {
    this.#limits = limits;
  }

  /**
   * Opens the account of a body that belongs to a flow and has not arrived yet. A body is never refused because of its own size alone,
   * because other limits bound that size.
   */
  open(flow: string): HeldBody {
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

const full = (what: string): string => `too many bytes of ${what}, please try again later`;
