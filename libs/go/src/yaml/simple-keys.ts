import type { Cursor } from './cursor.ts';
import type { Mark, YamlToken } from './token.ts';

/** Characters that a key without `?` may span, up to its `:`. Source: YAML 1.2, 7.4.2; go.yaml.in/yaml/v2 `yaml_simple_key_is_valid`. */
const LONGEST_KEY = 1024;

/** A possible key, which becomes one if a `:` follows it. */
export interface SimpleKey {
  possible: boolean;
  /** True if only a key can be here, so that its `:` must follow. */
  required: boolean;
  /** The number of its first token, counted through the text. */
  number: number;
  mark: Mark;
  /** First token of the key; for a flow collection, its opening token. */
  holder: YamlToken | undefined;
}

/** The possible key of each flow level, of which there is at most one. Source: go.yaml.in/yaml/v2 scannerc.go. */
export class SimpleKeys {
  readonly #cursor: Cursor;
  readonly #levels: SimpleKey[] = [];

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.open(0);
  }

  /** The key of the innermost level. */
  get current(): SimpleKey {
    return this.#levels[this.#levels.length - 1] as SimpleKey;
  }

  /**
   * Returns true if a node may still become a key: on one line, within 1,024 characters. Throws if it had to become
   * one.
   */
  isValid(key: SimpleKey): boolean {
    if (!key.possible) return false;
    if (key.mark.line === this.#cursor.line && !this.#isTooLong(key)) return true;
    this.#drop(key);
    return false;
  }

  /** Like {@link isValid}, for the key that may begin with a token. */
  mayBegin(token: YamlToken): boolean {
    return token.keyLevel >= 0 && this.isValid(this.#levels[token.keyLevel] as SimpleKey);
  }

  /** Notes that a key may begin here, with the token of that number. */
  save(number: number, required: boolean): void {
    this.remove();
    const key = this.current;
    key.possible = true;
    key.required = required;
    key.number = number;
    key.mark = this.#cursor.mark();
    key.holder = undefined;
  }

  /** Ties the key that was just saved to its first token, now that it is scanned. */
  hold(token: YamlToken): void {
    const key = this.current;
    token.keyLevel = this.#levels.length - 1;
    key.holder = token;
  }

  /** Gives up the key of the innermost level. Throws when it was required. */
  remove(): void {
    const key = this.current;
    if (!key.possible) return;
    this.#drop(key);
    this.#release(key);
  }

  /** The key of the innermost level was met by its `:`. */
  take(): void {
    const key = this.current;
    key.possible = false;
    this.#release(key);
  }

  /** Enters a flow collection, whose first token has that number. */
  open(number: number, opening?: YamlToken): void {
    this.#levels.push({ possible: false, required: false, number, mark: this.#cursor.mark(), holder: opening });
  }

  /** Leaves a flow collection. One in which no key was begun takes the key away that it might have been itself, as in libyaml for Go. */
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
    if (units <= LONGEST_KEY) return false;
    return units > 2 * LONGEST_KEY || Array.from(text.slice(mark.offset, at)).length > LONGEST_KEY;
  }
}
