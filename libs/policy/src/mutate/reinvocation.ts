/**
 * Bookkeeping that decides which policies are called a second time: policies that request reinvocation and ran before a change. Source:
 * k8s.io/apiserver/pkg/admission/plugin/policy/mutating/reinvocationcontext.go (1.37).
 */
export class Reinvocation {
  /**
   * Keys of invocations that request reinvocation and ran since the last change. They are called again if a later invocation changes the
   * object.
   */
  #invoked = new Set<string>();
  readonly #toReinvoke = new Set<string>();
  #due = false;
  #begun = false;

  /** Returns true if the object changed, so that a second pass is necessary. */
  get isDue(): boolean {
    return this.#due;
  }

  /** Starts the second pass. */
  begin(): void {
    this.#begun = true;
  }

  /** Returns true if an invocation is to be called in this pass. In the first pass it is always true. */
  calls(key: string): boolean {
    return !this.#begun || this.#toReinvoke.has(key);
  }

  /** Records that an invocation that requests reinvocation was called. */
  add(key: string): void {
    this.#invoked.add(key);
  }

  /** Records that the object was changed. All invocations recorded so far are scheduled for the second pass. */
  changed(): void {
    this.#due = true;
    for (const key of this.#invoked) this.#toReinvoke.add(key);
    this.#invoked = new Set();
  }
}
