import type { Cursor } from './cursor.ts';
import type { Mark, YamlToken } from './token.ts';

/**
 * Maximum number of characters from the start of a key without `?` to its `:`. Source: YAML 1.2, 7.4.2; go.yaml.in/yaml/v2
 * `yaml_simple_key_is_valid`.
 */
const MAX_KEY_LENGTH = 1024;

/** Position in a YAML text at which a map key without `?` may begin. The text becomes a key if a `:` follows. */
export interface SimpleKey {
  possible: boolean;
  /** True if only a key is allowed at this position, so that a `:` must follow. */
  required: boolean;
  /** Number of the key's first token, counted from the beginning of the text. */
  number: number;
  mark: Mark;
  /** First token of the key; for a flow collection, its opening token. */
  holder: YamlToken | undefined;
}

/**
 * Positions in a YAML text that may turn out to be the start of a map key without `?`. There is at most one position for each nesting level
 * of flow collections (`[…]`, `{…}`). Source: go.yaml.in/yaml/v2 scannerc.go.
 */
export class SimpleKeys {
  readonly #cursor: Cursor;
  readonly #levels: SimpleKey[] = [];

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.open(0);
  }

  /** Possible key of the innermost level. */
  get current(): SimpleKey {
    return this.#levels[this.#levels.length - 1] as SimpleKey;
  }

  /**
   * Returns true if a node may still become a key: its text is on one line and has at most 1,024 characters. Throws if the node cannot
   * become a key although a key is required.
   */
  isValid(key: SimpleKey): boolean {
    if (!key.possible) return false;
    if (key.mark.line === this.#cursor.line && !this.#isTooLong(key)) return true;
    this.#drop(key);
    return false;
  }

  /** Returns the result of {@link isValid} for the possible key whose first token is `token`. Returns false if there is no such key. */
  mayBegin(token: YamlToken): boolean {
    return token.keyLevel >= 0 && this.isValid(this.#levels[token.keyLevel] as SimpleKey);
  }

  /** Records that a key may begin at the current position. `number` is the number of the key's first token. */
  save(number: number, required: boolean): void {
    this.remove();
    const key = this.current;
    key.possible = true;
    key.required = required;
    key.number = number;
    key.mark = this.#cursor.mark();
    key.holder = undefined;
  }

  /** Connects the possible key that was recorded last with its first token, which was scanned after the key was recorded. */
  hold(token: YamlToken): void {
    const key = this.current;
    token.keyLevel = this.#levels.length - 1;
    key.holder = token;
  }

  /** Removes the possible key of the innermost level. Throws if that key is required. */
  remove(): void {
    const key = this.current;
    if (!key.possible) return;
    this.#drop(key);
    this.#release(key);
  }

  /** Turns the possible key of the innermost level into a real key, because its `:` was found. */
  take(): void {
    const key = this.current;
    key.possible = false;
    this.#release(key);
  }

  /** Enters a flow collection. `number` is the number of its first token. */
  open(number: number, opening?: YamlToken): void {
    this.#levels.push({ possible: false, required: false, number, mark: this.#cursor.mark(), holder: opening });
  }

  /**
   * Leaves a flow collection. If no key was recorded inside the collection, the collection itself can no longer be a key. This behaviour is
   * the same as in Go's libyaml.
   */
  close(): void {
    const key = this.#levels.pop() as SimpleKey;
    this.#release(key);
  }

  #drop(key: SimpleKey): void {
    if (key.required) throw this.#cursor.fail("could not find expected ':'");
    key.possible = false;
  }

  #release(key: SimpleKey): void {
    if (key.holder !== undefined) key.holder.keyLevel = -1;
  }

  #isTooLong({ mark }: SimpleKey): boolean {
    const { at, text } = this.#cursor;
    const units = at - mark.offset;
    if (units <= MAX_KEY_LENGTH) return false;
    return units > 2 * MAX_KEY_LENGTH || Array.from(text.slice(mark.offset, at)).length > MAX_KEY_LENGTH;
  }
}
