import { codePointLength } from '#go';
import { tokenize } from '../../language/syntax/lexer.ts';
import type { Token, TokenKind } from '../../language/syntax/lexer.ts';
import type { CheckedExpression } from '../../language/check/checked.ts';
import type { CallExpr, Expr } from '../../language/syntax/ast.ts';

/** Section of the source text. `start` and `end` are offsets in code points, and `end` is excluded. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Sequence of tokens. `first` and `last` are the indices of its first and its last token. */
interface Run {
  readonly first: number;
  readonly last: number;
}

const CLOSING: Readonly<Partial<Record<TokenKind, TokenKind>>> = { ')': '(', ']': '[', '}': '{' };

/**
 * Finds the source texts of nodes.
 *
 * Like upstream, the parser stores only one position for each node: the position of its operator, bracket or name. The rest of the node's
 * text is found from the tokens around it and the operands. Parentheses around a node are not part of the node's text.
 */
export class Spans {
  readonly #checked: CheckedExpression;
  readonly #tokens: readonly Token[];
  readonly #byOffset: ReadonlyMap<number, number>;
  /** Index of the matching bracket, by the token index of each bracket. */
  readonly #partners = new Map<number, number>();
  /** Cache of token sequences, by node. It saves time because each node requests the sequences of its operands, some of them twice. */
  readonly #runs = new Map<Expr, Run>();

  constructor(checked: CheckedExpression) {
    this.#checked = checked;
    this.#tokens = tokenize(checked.source) ?? [];
    this.#byOffset = new Map(this.#tokens.map(({ offset }, index) => [offset, index]));
    const open: number[] = [];
    for (const [index, { kind }] of this.#tokens.entries()) {
      if (kind === '(' || kind === '[' || kind === '{') open.push(index);
      if (CLOSING[kind] === undefined) continue;
      const partner = open.pop() as number;
      this.#partners.set(index, partner).set(partner, index);
    }
  }

  /**
   * Returns the source text range of a node that the author wrote. For a node that a macro expansion created, returns the range of the
   * macro's call.
   */
  of(node: Expr): TextSpan {
    const { first, last } = this.#run(node);
    const end = this.#tokens[last] as Token;
    return { start: (this.#tokens[first] as Token).offset, end: end.offset + codePointLength(end.text) };
  }

  #run(node: Expr): Run {
    const known = this.#runs.get(node);
    if (known !== undefined) return known;
    const run = this.#find(node);
    this.#runs.set(node, run);
    return run;
  }

  #find(node: Expr): Run {
    const anchor = this.#byOffset.get(this.#checked.offsets.get(node.id) as number) as number;
    const macro = this.#checked.macroCalls.get(node.id);
    if (macro?.kind === 'call') return this.#call(macro, anchor);
    switch (node.kind) {
      case 'constant':
        return { first: anchor, last: this.#is(anchor, '-') ? anchor + 1 : anchor };
      case 'ident':
        return { first: this.#startOfName(anchor), last: this.#is(anchor, '.') ? anchor + 1 : anchor };
      case 'select':
        return this.#selection(node.operand, anchor);
      case 'call':
        return this.#call(node, anchor);
      case 'struct':
        return { first: this.#startOfName(anchor - 1), last: this.#partner(anchor) };
      case 'comprehension':
      case 'list':
      case 'map':
        return { first: anchor, last: this.#partner(anchor) };
    }
  }

  /** Finds the tokens of a call. The kind of the token at `anchor` shows the form of the call: parenthesis, bracket, dot, or operator. */
  #call({ args, target }: CallExpr, anchor: number): Run {
    const [left, middle, right] = args;
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other tokens are operators
    switch (this.#tokens[anchor]?.kind) {
      case '(': {
        const last = this.#partner(anchor);
        return { first: target === undefined ? this.#startOfName(anchor - 1) : this.#before(target, anchor - 2), last };
      }
      case '[':
        return { first: this.#before(left as Expr, anchor), last: this.#partner(anchor) };
      case '.':
        return this.#selection(left as Expr, anchor);
      case '?': {
        let colon = this.#run(middle as Expr).last;
        while (!this.#is(colon, ':')) colon++;
        return { first: this.#before(left as Expr, anchor), last: this.#after(right as Expr, colon) };
      }
      default:
        return middle === undefined
          ? { first: anchor, last: this.#after(left as Expr, anchor) }
          : { first: this.#before(left as Expr, anchor), last: this.#after(middle, anchor) };
    }
  }

  #selection(operand: Expr, dot: number): Run {
    return { first: this.#before(operand, dot), last: this.#is(dot + 1, '?') ? dot + 2 : dot + 1 };
  }

  /**
   * Returns the index of the first token of `operand`, which must end before the token `token`. Parentheses around the operand are
   * included.
   */
  #before(operand: Expr, token: number): number {
    return this.#is(token - 1, ')') && this.#run(operand).last < token - 1 ? this.#partner(token - 1) : this.#run(operand).first;
  }

  /**
   * Returns the index of the last token of `operand`, which must begin after the token `token`. Parentheses around the operand are
   * included.
   */
  #after(operand: Expr, token: number): number {
    const { first, last } = this.#run(operand);
    for (let between = token + 1; between < first; between++) if (this.#is(between, '(')) return this.#partner(between);
    return last;
  }

  /** Returns the index of the first token of a dotted name. `token` is the index of any token of the name. */
  #startOfName(token: number): number {
    let first = token;
    for (;;) {
      if (this.#is(first, 'IDENTIFIER') && this.#is(first - 1, '.')) first--;
      else if (this.#is(first, '.') && this.#is(first - 1, 'IDENTIFIER')) first--;
      else return first;
    }
  }

  #is(token: number, kind: TokenKind): boolean {
    return this.#tokens[token]?.kind === kind;
  }

  #partner(token: number): number {
    return this.#partners.get(token) ?? token;
  }
}
