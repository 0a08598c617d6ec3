/**
 * Total length of all warnings in code points; above this length each warning is cut. Source:
 * k8s.io/apiserver/pkg/endpoints/filters/warning.go (1.37).
 */
const ALL = 4 * 1024;
/** Length in code points to which each warning is cut once the total length is exceeded. */
const EACH = 256;

/** Matches control characters, which a header must not contain. The server does not send warnings with such characters. */
const CONTROL = /\p{Cc}/u;

/** Warnings of one request. Each text is sent only once, and all texts are cut if their total length is too large. */
export class Warnings {
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

  /** Warnings that the client receives. */
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
