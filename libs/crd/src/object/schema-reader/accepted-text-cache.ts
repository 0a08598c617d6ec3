import { interned } from '#go';
import type { ByteCursor } from '#go';
import type { CompiledRules } from '../../rules/compiled-rules.ts';
import type { ReaderRun } from './reader-run.ts';

/** Number of texts that a node remembers, a power of two. Each text has one slot, and replaces the previous text in the slot. */
const PLACES = 64;
/** Length of the longest text that is remembered, in bytes. */
const MAX_LENGTH = 48;
/**
 * Number of searches that a node may still perform: `first` at the beginning, and never more than `most`. Each hit increases the number by
 * `found`. Each failed search reduces the number by one. At 0, the node stops searching.
 */
const CREDIT = { first: 64, most: 256, found: 3 } as const;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/**
 * Texts that one schema node accepted before. They are useful because names of kinds, classes and labels recur from object to object.
 *
 * The verdict of the schema and its rules depends only on the text. Therefore a known text needs no decoding, no patterns and no rules. A
 * text is kept from its second occurrence on.
 */
export class AcceptedTextCache {
  readonly #rules: CompiledRules | undefined;
  #credit: number = CREDIT.first;
  /**
   * Slots of the remembered texts. They are created when the first text is recorded, because most nodes of a schema have no text in any
   * object.
   */
  #places: Places | undefined;

  /** @param rules Compiled rules of the node. */
  constructor(rules: CompiledRules | undefined) {
    this.#rules = rules;
  }

  /**
   * Returns the text at the cursor and moves the cursor past it. This requires that the text is known and the cost of its rules is within
   * the limit. The cost of the text's rules is added to the costs in `run`. Returns undefined in all other cases.
   */
  find(cursor: ByteCursor, run: ReaderRun): string | undefined {
    const places = this.#places;
    if (places === undefined || this.#credit <= 0) return undefined;
    const { bytes } = cursor;
    const from = cursor.at + 1;
    const length = bytes[from - 1] === QUOTE ? plainLength(bytes, from) : 0;
    if (length === 0) return undefined;
    const place = placeOf(bytes, from, length);
    const text = places.texts[place] as string;
    const cost = places.costs[place] as number;
    // If the sum of the rules' costs is within the limit of one rule, each single rule is within this limit, too.
    if (text.length !== length || !isAt(text, bytes, from) || cost > run.costLimit) {
      this.#credit -= 1;
      return undefined;
    }
    if (this.#credit < CREDIT.most) this.#credit += CREDIT.found;
    run.cost += cost;
    cursor.at = from + length + 1;
    return text;
  }

  /**
   * Records a text that was accepted, with the cost of its rules. The text is kept when it is recorded for the second time. Texts that are
   * long or not plain ASCII are ignored.
   *
   * @param from Offset of the text's opening quote in the bytes.
   */
  note(text: unknown, bytes: Uint8Array, from: number, cost: number): void {
    if (this.#credit <= 0 || typeof text !== 'string') return;
    const length = plainLength(bytes, from + 1);
    if (length === 0 || text.length !== length) return;
    if (this.#places === undefined) {
      // If a rule reads `oldSelf`, its result differs between a create and an update.
      if (this.#rules?.usesOldSelf === true) {
        this.#credit = 0;
        return;
      }
      this.#places = new Places();
    }
    this.#places.note(text, placeOf(bytes, from + 1, length), cost);
  }
}

/** Remembered texts with the costs of their rules, by slot. */
class Places {
  readonly texts: string[] = Array.from({ length: PLACES }, () => '');
  readonly costs: number[] = Array.from({ length: PLACES }, () => 0);
  /** Hash of the last text in each slot. If the next text in a slot has the same hash, it is recorded for the second time. */
  readonly #hashes = new Int32Array(PLACES);

  note(text: string, place: number, cost: number): void {
    const hash = hashOf(text);
    if (this.#hashes[place] === hash) {
      this.texts[place] = interned(text);
      this.costs[place] = cost;
    } else this.#hashes[place] = hash;
  }
}

/**
 * Returns the number of bytes from the first byte of a text to its closing quote. Returns 0 if the text is empty, too long, or not plain
 * ASCII.
 */
function plainLength(bytes: Uint8Array, from: number): number {
  const most = from + MAX_LENGTH;
  let at = from;
  for (let code = bytes[at] as number; code !== QUOTE; code = bytes[at] as number) {
    if (at === most || code === BACKSLASH || !(code >= SPACE && code < 0x80)) return 0;
    at += 1;
  }
  return at - from;
}

function placeOf(bytes: Uint8Array, from: number, length: number): number {
  const [first, last] = [bytes[from] as number, bytes[from + length - 1] as number];
  const middle = bytes[from + (length >> 1)] as number;
  const late = bytes[from + length - 1 - (length >> 2)] as number;
  return (length * 37 + first * 7 + middle * 11 + late * 29 + last * 13) & (PLACES - 1);
}

function isAt(text: string, bytes: Uint8Array, from: number): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[from + i]) return false;
  return true;
}

function hashOf(text: string): number {
  let hash = text.length;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}
