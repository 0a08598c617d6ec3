/**
 * State that decides which policies are called a second time. A policy is called again if it requests reinvocation and the object changed
 * after its call. Source: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/reinvocationcontext.go (1.37).
 */
export class Reinvocation {
  /**
   * Keys of the invocations that request reinvocation and were called since the last change of the object. They are called again if a later
   * invocation changes the object.
   */
  #invoked = new Set<string>();
  readonly #toReinvoke = new Set<string>();
  #due = false;
  #begun = false;

  /** True if the object changed, which makes a second pass necessary. */
  get isDue(): boolean {
    return this.#due;
  }

  /** Starts the second pass through the policies. */
  begin(): void {
    this.#begun = true;
  }

  /** Returns true if an invocation must be called in this pass. In the first pass, every invocation is called. */
  calls(key: string): boolean {
    return !this.#begun || this.#toReinvoke.has(key);
  }

  /** Records the call of an invocation that requests reinvocation. */
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
