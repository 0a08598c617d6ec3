import { interned } from '#go';
import type { ByteCursor } from '#go';
import type { CompiledRules } from '../../rules/compiled-rules.ts';
import type { ReaderRun } from './reader-run.ts';

/** Texts that a node remembers, a power of two. Each text has one slot, and replaces the text before it. */
const PLACES = 64;
/** Bytes of the longest text that is remembered. */
const LONGEST = 48;
/** Failed searches before a node stops searching, and the number of searches that a hit adds. */
const CREDIT = { first: 64, most: 256, found: 3 } as const;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/**
 * The texts that one node accepted before, because names of kinds, classes and labels recur from object to object. The
 * verdict of the schema and its rules depends only on the text. So a known text needs no decoding, no patterns and no
 * rules. A text is kept from its second occurrence on.
 */
export class KnownTexts {
  readonly #rules: CompiledRules | undefined;
  #credit: number = CREDIT.first;
  /** Made when the first text comes: most nodes of a schema never see one. */
  #places: Places | undefined;

  /** @param rules rules of the node */
  constructor(rules: CompiledRules | undefined) {
    this.#rules = rules;
  }

  /** The text at the cursor, which is then behind it, where it is known; the cost of its rules is added to the run's. */
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
    // No rule costs more than all of them.
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
   * Notes a text that was found fine, at the cost of its rules: it is kept when it comes for the second time.
   *
   * @param from offset of its opening quote in the bytes
   */
  note(text: unknown, bytes: Uint8Array, from: number, cost: number): void {
    if (this.#credit <= 0 || typeof text !== 'string') return;
    const length = plainLength(bytes, from + 1);
    if (length === 0 || text.length !== length) return;
    if (this.#places === undefined) {
      // What an older self decides differs between a create and an update.
      if (this.#rules?.usesOldSelf === true) {
        this.#credit = 0;
        return;
      }
      this.#places = new Places();
    }
    this.#places.note(text, placeOf(bytes, from + 1, length), cost);
  }
}

/** The remembered texts, by slot. */
class Places {
  readonly texts: string[] = Array.from({ length: PLACES }, () => '');
  readonly costs: number[] = Array.from({ length: PLACES }, () => 0);
  /** Hashes by which a second occurrence of a text is recognised. */
  readonly #hashes = new Int32Array(PLACES);

  note(text: string, place: number, cost: number): void {
    const hash = hashOf(text);
    if (this.#hashes[place] === hash) {
      this.texts[place] = interned(text);
      this.costs[place] = cost;
    } else this.#hashes[place] = hash;
  }
}

/** Bytes of a text from its first one on to its closing quote; 0 where it is empty, too long, or not plain ASCII. */
function plainLength(bytes: Uint8Array, from: number): number {
  const most = from + LONGEST;
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
