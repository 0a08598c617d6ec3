import { codePointLength } from '#go';
import { joined, js } from './javascript.ts';
import type { CodeSite } from './site.ts';
import type { Fragment } from './javascript.ts';
import type { Operand } from './shape.ts';

/**
 * A size, or a number of cost units, that generated code uses. It is a known number, a code fragment that computes the number, or a
 * `TextLength`. A `TextLength` is the length of the shortest of several texts. It is a separate case, because generated code can often test
 * the texts without counting their code points.
 */
export type Units = number | Fragment | TextLength;

/** The number of code points of the shortest of several texts. */
class TextLength {
  readonly texts: readonly Operand[];
  constructor(texts: readonly Operand[]) {
    this.texts = texts;
  }
}

/** Returns the number of units. Undefined if the number is known only when the code runs. */
function known(units: Units): number | undefined {
  if (!(units instanceof TextLength)) return typeof units === 'number' ? units : undefined;
  const lengths = units.texts.map(({ constant }) => (typeof constant === 'string' ? codePointLength(constant) : undefined));
  return lengths.includes(undefined) ? undefined : Math.min(...(lengths as number[]));
}

/** Returns code that computes a size or a number of cost units. */
export function unitsCode(site: CodeSite, units: Units): Fragment {
  const number = known(units);
  if (number !== undefined) return js`${number}`;
  if (!(units instanceof TextLength)) return units as Fragment;
  const lengths = units.texts.map((text) => lengthInCode(site, text));
  return lengths.length === 1 ? lengths[0]! : js`Math.min(${joined(lengths, ', ')})`;
}

/** Returns code that computes the number of code points of a string. */
export function lengthInCode(site: Pick<CodeSite, 'constants'>, text: Operand): Fragment {
  return plainLength(text) ?? js`${site.constants.name(codePointLength)}(${text.code})`;
}

/**
 * Returns fast code for the number of code points of a string in which each code point is one UTF-16 unit. Returns undefined if the string
 * may contain characters of two units.
 */
function plainLength({ code, window, isPlain, constant }: Operand): Fragment | undefined {
  if (typeof constant === 'string') return js`${codePointLength(constant)}`;
  if (window !== undefined) return js`(${window.to} - ${window.from})`;
  return isPlain === true ? js`${code}.length` : undefined;
}

/**
 * Returns the size of an operand for generated code, as {@link Units}: a number, code or a text length. Returns undefined if the
 * representation of the operand does not show its size, for example if the operand is a CEL value or a map.
 */
export function sizeUnits(operand: Operand): Units | undefined {
  switch (operand.shape.kind) {
    case 'bool':
    case 'int':
    case 'double':
      return 1;
    case 'string':
      return new TextLength([operand]);
    case 'rawList':
    case 'intColumn':
    case 'textColumn':
    case 'array':
      return js`${operand.code}.length`;
    case 'counted':
      return operand.code;
    case 'optional':
    case 'rawMap':
    case 'rawObject':
    case 'value':
      return undefined;
  }
}

/**
 * Functions that compute `⌈factor × length⌉` for a text, or for the shorter of two texts. `factor` is the cost per code point, and `length`
 * the number of code points.
 */
export interface TextScale {
  /**
   * Maximum number of code points of a non-empty text that costs one unit. An empty text costs nothing. If a text is this short, its code
   * points need not be counted.
   */
  readonly cheap: number;
  readonly one: (text: string) => number;
  readonly shorter: (a: string, b: string) => number;
}

/**
 * Returns functions that compute the cost of texts from their number of code points (see {@link TextScale}).
 *
 * @param factor Cost units per code point.
 */
export function textScale(factor: number): TextScale {
  let cheap = 1;
  while (Math.ceil((cheap + 1) * factor) <= 1) cheap++;
  // A text of at most `cheap` UTF-16 units has at most `cheap` code points. It costs one unit, or none if it is empty, without counting.
  return {
    cheap,
    one: (text) => (text.length <= cheap ? (text.length === 0 ? 0 : 1) : Math.ceil(codePointLength(text) * factor)),
    shorter: (a, b) => {
      const shorter = a.length < b.length ? a.length : b.length;
      if (shorter <= cheap) return shorter === 0 ? 0 : 1;
      return Math.ceil(Math.min(codePointLength(a), codePointLength(b)) * factor);
    },
  };
}

/**
 * Returns `⌈factor × units⌉`, the cost for an input of the size `units`. The result is a number if the size is known at compile time.
 * Otherwise it is code that computes the number. `scale` contains the functions that this code calls for texts.
 */
export function scaledUnits(site: CodeSite, units: Units, factor: number, scale: TextScale): Units {
  const number = known(units);
  if (number !== undefined) return Math.ceil(number * factor);
  if (!(units instanceof TextLength)) return js`Math.ceil(${unitsCode(site, units)} * ${factor})`;
  const [first, second] = units.texts as readonly [Operand, Operand?];
  if (second === undefined) {
    const length = plainLength(first);
    return length === undefined ? js`${site.constants.name(scale.one)}(${first.code})` : js`Math.ceil(${length} * ${factor})`;
  }
  const [constant, other] = typeof first.constant === 'string' ? [first.constant, second] : [second.constant, first];
  if (constant === '') return 0;
  const { window } = other;
  const isEmpty = window === undefined ? js`${other.code} === ""` : js`${window.from} === ${window.to}`;
  if (typeof constant === 'string' && constant.length <= scale.cheap) return js`(${isEmpty} ? 0 : 1)`;
  const lengths = [plainLength(first), plainLength(second)];
  if (lengths.every((length) => length !== undefined)) return js`Math.ceil(Math.min(${joined(lengths, ', ')}) * ${factor})`;
  return js`${site.constants.name(scale.shorter)}(${first.code}, ${second.code})`;
}

/**
 * Returns the minimum of two sizes or of two numbers of cost units. The result is a number if both are known when code is generated. For
 * two text lengths, it is a text length; otherwise, it is code that computes the number.
 */
export function shorterUnits(site: CodeSite, a: Units, b: Units): Units {
  if (a instanceof TextLength && b instanceof TextLength) return new TextLength([...a.texts, ...b.texts]);
  const [left, right] = [known(a), known(b)];
  if (left !== undefined && right !== undefined) return Math.min(left, right);
  return js`Math.min(${unitsCode(site, a)}, ${unitsCode(site, b)})`;
}

/**
 * Returns the sum of two sizes or of two numbers of cost units. The result is a number if both are known when code is generated, and code
 * otherwise.
 */
export function addedUnits(site: CodeSite, a: Units, b: Units): Units {
  const [left, right] = [known(a), known(b)];
  return left !== undefined && right !== undefined ? left + right : js`(${unitsCode(site, a)} + ${unitsCode(site, b)})`;
}

/**
 * Returns the product of two numbers of cost units or two sizes. The result is a number if both are known when code is generated, and code
 * otherwise.
 */
export function multipliedUnits(site: CodeSite, a: Units, b: Units): Units {
  const [left, right] = [known(a), known(b)];
  return left !== undefined && right !== undefined ? left * right : js`${unitsCode(site, a)} * ${unitsCode(site, b)}`;
}

/**
 * Returns a number of cost units for the statement of generated code that charges it. The result is a number if the units are known when
 * code is generated, and otherwise code that computes the number.
 */
export function chargeable(site: CodeSite, units: Units): number | Fragment {
  return known(units) ?? unitsCode(site, units);
}
