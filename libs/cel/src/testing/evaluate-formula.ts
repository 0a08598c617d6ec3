import { MAX_UNITS } from '../library/range.ts';

/** Functions that return the values of the names in a formula. For example, `size(x)` calls `names.size('x')`. */
export interface FormulaNames {
  readonly [name: string]: (operand: string, otherwise: bigint) => Value;
}

/** A whole number, or a fraction as float64. `Infinity` is an unlimited size or cost. */
type Value = bigint | number;
/** Treatment of results that exceed a uint64: limited to the maximum, or wrapped around. */
type Overflow = 'saturates' | 'wraps';

/**
 * Evaluates a formula in the notation of docs/reference/functions.md.
 *
 * Whole numbers are uint64: sums and products are limited to the maximum, and differences to 0. Fractions are float64. The term before `mod
 * 2^64` wraps around instead.
 */
export function evaluateFormula(formula: string, names: FormulaNames): Value {
  const reader = new FormulaReader(formula, names);
  return reader.whole();
}

const TOKEN = /\s*([\d.]+|[a-z]+|2\^64|[⌈⌉⌊⌋()×÷+−,∞])/y;

class FormulaReader {
  readonly #formula: string;
  readonly #names: FormulaNames;
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(formula: string, names: FormulaNames) {
    this.#formula = formula.replaceAll('2^64', 'end');
    this.#names = names;
    this.#tokens = tokensOf(this.#formula, formula);
  }

  whole(): Value {
    const value = this.#sum('saturates');
    if (this.#next < this.#tokens.length) throw new Error(`cannot read ${this.#formula} at ${this.#tokens[this.#next]}`);
    return value === Infinity ? MAX_UNITS : value;
  }

  #sum(overflow: Overflow): Value {
    let value = this.#product(overflow);
    for (;;) {
      if (this.#takes('+')) value = kept(add(value, this.#product(overflow)), overflow);
      else if (this.#takes('−')) value = kept(add(value, negated(this.#product(overflow))), overflow);
      else return value;
    }
  }

  #product(overflow: Overflow): Value {
    let value = this.#factor(overflow);
    for (;;) {
      if (this.#takes('×')) value = kept(multiply(value, this.#factor(overflow)), overflow);
      else if (this.#takes('÷')) value = Number(value) / Number(this.#factor(overflow));
      else return value;
    }
  }

  /** Reads a factor. If `mod 2^64` follows, the factor is evaluated a second time with wrap-around. */
  #factor(overflow: Overflow): Value {
    const start = this.#next;
    const value = this.#atom(overflow);
    if (!this.#takes('mod')) return value;
    const end = this.#next;
    this.#next = start;
    const unbounded = BigInt(this.#atom('wraps'));
    this.#next = end;
    this.#expect('end');
    return BigInt.asUintN(64, unbounded);
  }

  #atom(overflow: Overflow): Value {
    if (this.#takes('⌈')) return this.#rounded(Math.ceil, '⌉', overflow);
    if (this.#takes('⌊')) return this.#rounded(Math.floor, '⌋', overflow);
    if (this.#takes('∞')) return MAX_UNITS;
    if (this.#takes('(')) {
      const value = this.#sum(overflow);
      this.#expect(')');
      return value;
    }
    const token = this.#tokens[this.#next++] ?? '';
    if (/^\d/.test(token)) return token.includes('.') ? Number(token) : BigInt(token);
    this.#expect('(');
    return token === 'min' || token === 'max' ? this.#extreme(token, overflow) : this.#named(token, overflow);
  }

  #rounded(round: (value: number) => number, end: string, overflow: Overflow): Value {
    const value = this.#sum(overflow);
    this.#expect(end);
    if (typeof value === 'bigint') return value;
    return value === Infinity ? MAX_UNITS : kept(BigInt(round(value)), overflow);
  }

  #extreme(name: 'min' | 'max', overflow: Overflow): Value {
    const a = this.#sum(overflow);
    this.#expect(',');
    const b = this.#sum(overflow);
    this.#expect(')');
    return a < b === (name === 'min') ? a : b;
  }

  #named(name: string, overflow: Overflow): Value {
    const operand = this.#tokens[this.#next++] ?? '';
    const otherwise = this.#takes(',') ? BigInt(this.#sum(overflow)) : 0n;
    this.#expect(')');
    const read = this.#names[name];
    if (read === undefined) throw new Error(`${this.#formula} names ${name}, which means nothing here`);
    return read(operand, otherwise);
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#next] !== token) return false;
    this.#next++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#takes(token)) throw new Error(`cannot read ${this.#formula}: ${token} is missing`);
  }
}

function tokensOf(text: string, formula: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[1];
    if (token === undefined) throw new Error(`cannot read ${formula}`);
    tokens.push(token);
  }
  return tokens;
}

const negated = (value: Value): Value => (typeof value === 'bigint' ? -value : -value);
const add = (a: Value, b: Value): Value => (typeof a === 'bigint' && typeof b === 'bigint' ? a + b : Number(a) + Number(b));
const multiply = (a: Value, b: Value): Value => (typeof a === 'bigint' && typeof b === 'bigint' ? a * b : Number(a) * Number(b));

function kept(value: Value, overflow: Overflow): Value {
  if (typeof value === 'number' || overflow === 'wraps') return value;
  if (value > MAX_UNITS) return MAX_UNITS;
  return value < 0n ? 0n : value;
}
