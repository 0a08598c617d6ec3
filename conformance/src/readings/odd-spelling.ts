import type { Dice } from '../random/dice.ts';
import { Members, Spelled } from '../random/tree.ts';
import type { Tree } from '../random/tree.ts';

/** Writer that spells a JSON tree in an unusual way: the bytes differ from the normal form, and the meaning in JSON is the same. */
export class OddSpelling {
  readonly #dice: Dice;
  readonly #space: boolean;
  readonly #escapes: boolean;
  readonly #shuffles: boolean;

  constructor(dice: Dice) {
    this.#dice = dice;
    this.#space = dice.chance(0.3);
    this.#escapes = dice.chance(0.1);
    this.#shuffles = dice.chance(0.5);
  }

  /** Returns the JSON text of `tree` with random white space, shuffled keys and unnecessary `\u` escapes. */
  write(tree: Tree): string {
    if (tree instanceof Spelled) return tree.text;
    if (typeof tree === 'string') return this.#text(tree);
    if (Array.isArray(tree)) return `[${this.#gap()}${tree.map((item) => this.write(item)).join(this.#comma())}${this.#gap()}]`;
    if (!(tree instanceof Members)) return JSON.stringify(tree);
    const entries = this.#shuffles ? this.#shuffled(tree.entries) : tree.entries;
    const members = entries.map(([key, value]) => `${this.#text(key)}${this.#gap()}:${this.#gap()}${this.write(value)}`);
    return `{${this.#gap()}${members.join(this.#comma())}${this.#gap()}}`;
  }

  #text(text: string): string {
    const plain = JSON.stringify(text);
    if (!this.#escapes || text === '' || !this.#dice.chance(0.2)) return plain;
    const at = this.#dice.below(text.length);
    const code = text.charCodeAt(at).toString(16).padStart(4, '0');
    return `${JSON.stringify(text.slice(0, at)).slice(0, -1)}\\u${code}${JSON.stringify(text.slice(at + 1)).slice(1)}`;
  }

  #gap(): string {
    return this.#space && this.#dice.chance(0.3) ? this.#dice.pick([' ', '\n', '\r\n\t', '  ']) : '';
  }

  #comma(): string {
    return `${this.#gap()},${this.#gap()}`;
  }

  #shuffled<T>(list: readonly T[]): T[] {
    const rest = [...list];
    const shuffled: T[] = [];
    while (rest.length > 0) shuffled.push(...rest.splice(this.#dice.below(rest.length), 1));
    return shuffled;
  }
}
