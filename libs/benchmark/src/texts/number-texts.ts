import type { CheckedNumber } from './check-digits.ts';
import { patternTexts } from './pattern-texts.ts';
import { MAX_LENGTH } from './texts.ts';
import type { Texts } from './texts.ts';

interface Kind {
  readonly number: CheckedNumber;
  readonly digits: Texts;
}

/**
 * Generator of texts for formats that end with a check digit, such as credit card numbers. If the requested length exceeds the number of
 * digits, the text also contains dashes. If it is still too short, blanks are added at its end.
 */
export class NumberTexts implements Texts {
  readonly least: number;
  readonly most = Infinity;
  /** The length of the longest text without blanks, in code points. */
  readonly usual: number;
  readonly #kinds: readonly Kind[];

  /** @param numbers At least one kind of number, sorted from short to long. */
  constructor(numbers: readonly CheckedNumber[]) {
    this.#kinds = numbers.flatMap((number) => {
      const digits = patternTexts(number.digits);
      return digits.ok ? [{ number, digits: digits.texts }] : [];
    });
    this.least = 1 + Math.min(...this.#kinds.map((kind) => kind.digits.least));
    this.usual = 1 + Math.max(...this.#kinds.map(({ number, digits }) => digits.least + number.dashes.length));
  }

  text(length: number, index: number): string | undefined {
    const room = Math.floor(Math.min(length, MAX_LENGTH));
    const kind = this.#kindOf(room);
    const digits = kind?.digits.text(kind.digits.least, index);
    if (kind === undefined || digits === undefined) return undefined;
    const number = digits + kind.number.checkDigit(digits);
    const dashes = Math.max(0, Math.min(room - number.length, kind.number.dashes.length));
    return withDashes(number, kind.number.dashes.slice(0, dashes)).padEnd(room, ' ');
  }

  distinct(length: number): number {
    const kind = this.#kindOf(Math.floor(length));
    return kind === undefined ? 0 : kind.digits.distinct(kind.digits.least);
  }

  /** Returns the longest kind of number that fits into `room` characters, or the shortest kind if none fits. */
  #kindOf(room: number): Kind | undefined {
    return this.#kinds.findLast(({ digits }) => digits.least < room) ?? this.#kinds[0];
  }
}

function withDashes(number: string, places: readonly number[]): string {
  const cuts = [0, ...places, number.length];
  return cuts
    .slice(1)
    .map((cut, i) => number.slice(cuts[i], cut))
    .join('-');
}
