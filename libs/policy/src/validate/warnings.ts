/** Code points of all warnings together from which on each is cut. Source: k8s.io/apiserver/pkg/endpoints/filters/warning.go (1.37). */
const ALL = 4 * 1024;
/** Code points to which a warning is then cut. */
const EACH = 256;

/** Characters that a header must not contain. The server does not send such texts. */
const CONTROL = /\p{Cc}/u;

/** The warnings of one request: each text once, and cut when they are too long together. */
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
