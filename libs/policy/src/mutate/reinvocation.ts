/**
 * The choice of policies for a second call: they request reinvocation and ran before a change. Source:
 * k8s.io/apiserver/pkg/admission/plugin/policy/mutating/reinvocationcontext.go (1.37).
 */
export class Reinvocation {
  /** Keys of invocations that want to be called again if a later one changes the object. */
  #invoked = new Set<string>();
  readonly #toReinvoke = new Set<string>();
  #due = false;
  #begun = false;

  /** True if the object changed, so that a second pass is due. */
  get isDue(): boolean {
    return this.#due;
  }

  /** Begins the second time. */
  begin(): void {
    this.#begun = true;
  }

  /** Returns true if an invocation is to be called in this pass. In the first pass it is always true. */
  calls(key: string): boolean {
    return !this.#begun || this.#toReinvoke.has(key);
  }

  /** Notes that a policy was called that wants to be called again. */
  add(key: string): void {
    this.#invoked.add(key);
  }

  /** Notes that the object was changed. */
  changed(): void {
    this.#due = true;
    for (const key of this.#invoked) this.#toReinvoke.add(key);
    this.#invoked = new Set();
  }
}
