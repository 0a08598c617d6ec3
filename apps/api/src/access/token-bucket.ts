/** A rate with bursts: a bucket of tokens that fills at a steady rate; each request takes one. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #size: number;
  #tokens: number;
  #filledAt: number;

  /** `size`: how many requests may come at once. `nowMs`: any monotonic clock, the same as in {@link take}. */
  constructor(perSecond: number, size: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#size = size;
    this.#tokens = size;
    this.#filledAt = nowMs;
  }

  /** Takes a token and answers 0; when there is none, answers the whole seconds (at least 1) after which there will be one. */
  take(nowMs: number): number {
    const gained = (Math.max(0, nowMs - this.#filledAt) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#size, this.#tokens + gained);
    this.#filledAt = nowMs;
    if (this.#tokens < 1) return Math.max(1, Math.ceil((1 - this.#tokens) / this.#perSecond));
    this.#tokens -= 1;
    return 0;
  }
}
