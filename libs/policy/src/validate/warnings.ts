/**
 * Total length of all warnings, in code points, above which each warning is shortened. Source:
 * k8s.io/apiserver/pkg/endpoints/filters/warning.go (1.37).
 */
const ALL = 4 * 1024;
/** Length in code points to which each warning is shortened if the total length exceeds `ALL`. */
const EACH = 256;

/** Pattern of control characters, which a header must not contain. The server does not send warnings that contain a control character. */
const CONTROL = /\p{Cc}/u;

/** Warnings of one request. Each text is sent only once. If the total length is too large, all texts are shortened. */
export class PolicyWarnings {
  readonly #texts = new Set<string>();
  #sent: string[] = [];
  #written = 0;
  #cutting = false;

  add(text: string): void {
    if (text === '' || (this.#cutting && this.#written >= ALL) || this.#texts.has(text)) return;
    this.#texts.add(text);
    if (!this.#cutting && CONTROL.test(text)) return;
    if (!this.#cutting && this.#written + [...text].length > ALL) {
      this.#cutting = true;
      this.#written = 0;
      this.#sent = [];
      for (const known of this.#texts) this.#send(known);
    } else this.#send(text);
  }

  /** Warnings that are sent to the client. */
  get sent(): readonly string[] {
    return this.#sent;
  }

  #send(text: string): void {
    const characters = [...text];
    if (CONTROL.test(text)) return;
    const shortened = this.#cutting ? characters.slice(0, EACH) : characters;
    this.#written += shortened.length;
    this.#sent.push(shortened.join(''));
  }
}
