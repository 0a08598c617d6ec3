import { celTypeOf, compileProgram, DYN, INT } from '#cel';
import type { CelType, DeclaredType, Environment, Token } from '#cel';
import { isClosing, isOpening } from './expression-tokens.ts';

/**
 * Context of an expression: the variables that it may use, and the CEL environment (functions and macros) of the oldest selected Kubernetes
 * minor version.
 */
export interface ExpressionPlace {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly environment: Environment;
}

/**
 * Returns the variables of a rule, `self` and `oldSelf`, with their types. The type of `oldSelf` is optional if `optionalOldSelf` is true.
 */
export function ruleVariables(self: DeclaredType, optionalOldSelf: boolean): ReadonlyMap<string, CelType> {
  const type = celTypeOf(self, SELF_TYPE);
  return new Map([
    ['self', type],
    ['oldSelf', optionalOldSelf ? { kind: 'optional', value: type } : type],
  ]);
}

/** Name of the type of `self`. The names of nested types consist of this name and their path below `self`. */
export const SELF_TYPE = 'selfType0';

/**
 * Macros whose first argument declares a variable. The macros in `BINDING_TWO` declare two variables if the call has an additional
 * argument.
 */
const BINDING: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'map',
  'filter',
  'sortBy',
  'optMap',
  'optFlatMap',
]);
const BINDING_TWO: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'existsOne',
  'exists_one',
  'transformList',
  'transformMap',
  'transformMapEntry',
]);

const LITERALS: ReadonlySet<string> = new Set(['NUM_INT', 'NUM_UINT', 'NUM_FLOAT', 'STRING', 'BYTES', 'true', 'false', 'null']);

/**
 * Variables and types that are visible at each token of an expression, which may be incomplete. Offsets are in code points, as in tokens.
 */
export class ExpressionScope {
  readonly #place: ExpressionPlace;
  readonly #codePoints: readonly string[];
  readonly #tokens: readonly Token[];

  /** @param tokens tokens of the text, or of the relevant part of it, without EOF */
  constructor(text: string, tokens: readonly Token[], place: ExpressionPlace) {
    this.#codePoints = [...text];
    this.#tokens = tokens;
    this.#place = place;
  }

  /**
   * Returns the variables that may be used at the position of a token. They include the variables of the context and of the macros around
   * the token.
   */
  variablesAt(token: number): Map<string, CelType> {
    const variables = new Map(this.#place.variables);
    for (const open of this.#openAt(token)) {
      const bound = this.#boundBy(open, token, variables);
      for (const [name, found] of bound) variables.set(name, found);
    }
    return variables;
  }

  /**
   * Returns the type of the expression in the tokens from `first` to `end` (exclusive). Returns undefined if these tokens do not form an
   * expression.
   */
  typeOf(first: number, end: number, variables: ReadonlyMap<string, CelType>): CelType | undefined {
    const text = this.textOf(first, end);
    if (text === '') return undefined;
    const { environment } = this.#place;
    const messages = { compile: '', resultType: () => '', program: '' };
    const compiled = compileProgram(text, { variables, environment, results: undefined, messages });
    return compiled.ok ? compiled.outputType : compiled.checked?.outputType;
  }

  /** Returns the text of the tokens from `first` to `end` (exclusive). */
  textOf(first: number, end: number): string {
    const [from, to] = [this.#tokens[first], this.#tokens[end - 1]];
    return from && to ? this.#codePoints.slice(from.offset, to.offset + [...to.text].length).join('') : '';
  }

  /**
   * Returns the index of the first token of the operand that ends before the token `end`. If `end` is a dot after `self.list.filter(x, x >
   * 0)`, the first token is `self`.
   */
  startOfOperand(end: number): number {
    let at = end - 1;
    for (;;) {
      const kind = this.#tokens[at]?.kind ?? '';
      if (isClosing(this.#tokens[at])) {
        at = this.#partnerOf(at);
        if (at < 0) return end;
        // The name of a call or the operand of an index stands before the bracket, and belongs to the same operand. Other brackets stand
        // alone.
        const before = this.#tokens[at - 1];
        const isApplied = isClosing(before) || ['IDENTIFIER', 'ESC_IDENTIFIER', 'STRING'].includes(before?.kind ?? '');
        if (!isApplied) return at;
        at--;
        continue;
      }
      if (kind !== 'IDENTIFIER' && kind !== 'ESC_IDENTIFIER' && !LITERALS.has(kind)) return end;
      if (this.#tokens[at - 1]?.kind === '.') at -= 2;
      else if (this.#tokens[at - 1]?.kind === '?' && this.#tokens[at - 2]?.kind === '.') at -= 3;
      else return at;
    }
  }

  #partnerOf(closing: number): number {
    let depth = 0;
    for (let at = closing; at >= 0; at--) {
      if (isClosing(this.#tokens[at])) depth++;
      if (isOpening(this.#tokens[at]) && --depth === 0) return at;
    }
    return -1;
  }

  /** Returns the token indexes of the parentheses that are open before a token. The outermost comes first. */
  #openAt(token: number): readonly number[] {
    const open: number[] = [];
    for (let at = 0; at < token; at++) {
      if (isOpening(this.#tokens[at])) open.push(at);
      else if (isClosing(this.#tokens[at])) open.pop();
    }
    return open.filter((at) => this.#tokens[at]?.kind === '(');
  }

  /**
   * Returns the variables that a macro declares, with their types. `open` is the macro's opening parenthesis, and `token` is a token in a
   * later argument. Returns an empty list if the call is not such a macro.
   */
  #boundBy(open: number, token: number, variables: ReadonlyMap<string, CelType>): readonly (readonly [string, CelType])[] {
    const name = this.#tokens[open - 1]?.text ?? '';
    const [first, comma, second, comma2] = this.#tokens.slice(open + 1, open + 5);
    const isMethod = this.#tokens[open - 2]?.kind === '.';
    if (!isMethod || first?.kind !== 'IDENTIFIER' || comma?.kind !== ',' || token < open + 3) return [];
    const receiver = this.startOfOperand(open - 2);
    const type = this.typeOf(receiver, open - 2, variables) ?? DYN;
    const isTwo = BINDING_TWO.has(name) && second?.kind === 'IDENTIFIER' && comma2?.kind === ',' && token >= open + 5;
    if (isTwo)
      return [
        [first.text, keyOf(type)],
        [second.text, valueOf(type)],
      ];
    return BINDING.has(name) ? [[first.text, elementOf(type)]] : [];
  }
}

/**
 * Returns the type of the variable in a macro that declares one variable. It is the type of the list's elements, of the map's keys, or of
 * the optional's value.
 */
const elementOf = (type: CelType): CelType =>
  type.kind === 'list' ? type.element : type.kind === 'map' ? type.key : type.kind === 'optional' ? type.value : DYN;

const keyOf = (type: CelType): CelType => (type.kind === 'list' ? INT : type.kind === 'map' ? type.key : DYN);

const valueOf = (type: CelType): CelType => (type.kind === 'list' ? type.element : type.kind === 'map' ? type.value : DYN);
