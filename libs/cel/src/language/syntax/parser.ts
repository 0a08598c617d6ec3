import { balancedTree, ExpansionFactory, NodeFactory } from './node-factory.ts';
import { Issues } from './issues.ts';
import { tokenize } from './lexer.ts';
import type { Token, TokenKind } from './lexer.ts';
import { macroKey } from './syntax.ts';
import type { AskableSyntax } from './syntax.ts';
import { RESERVED_WORDS } from '../../values/schema/field-name.ts';
import { OPERATOR, RELATIONS } from '../../library/names.ts';
import { Source } from './source.ts';
import { recoveredIssues } from './antlr/recovered-issues.ts';
import { unescapeBytes, unescapeString } from './unescape.ts';
import type { Expr, MapEntry, ParsedExpression, StructField } from './ast.ts';

/** Result of parsing: a tree, or errors. */
export type ParseResult = { readonly ok: true; readonly expression: ParsedExpression } | { readonly ok: false; readonly issues: Issues };

/** Maximum length of an expression's text, in code points. */
const EXPRESSION_SIZE = 100_000;
/** Maximum nesting depth of grammar rules, and of operators in the tree. */
const RECURSION_LIMIT = 250;
/**
 * Maximum number of nodes that may exist when a macro is expanded. `optMap` doubles its target, so that a chain of a few dozen calls of
 * `optMap` would need too much memory. Before 0.30, cel-go has no such limit. Texts without such chains have far fewer nodes.
 */
const MAX_NODES = 120_000;

/**
 * Parses the text of an expression. If the text has a syntax error, an ANTLR parser parses it again to get the same error messages as
 * upstream. Source: cel-go parser/parser.go, parser/gen/CEL.g4 (v0.29.2).
 */
export function parseExpression(text: string, syntax: AskableSyntax): ParseResult {
  const source = new Source(text);
  const issues = new Issues(source);
  if (source.size > EXPRESSION_SIZE) {
    issues.report(undefined, `expression code point size exceeds limit: size: ${source.size}, limit ${EXPRESSION_SIZE}`);
    return { ok: false, issues };
  }
  const tokens = tokenize(text);
  const isReadable = tokens !== undefined && !(tokens.some(({ kind }) => kind === 'ESC_IDENTIFIER') && syntax.lacksBackTicks === true);
  if (!isReadable) return { ok: false, issues: recoveredIssues(text, syntax) };
  const parser = new Parser(tokens, syntax, issues);
  const root = parser.parse();
  if (parser.brokenSyntax) return { ok: false, issues: recoveredIssues(text, syntax) };
  if (issues.count > 0) return { ok: false, issues };
  const { offsets, macroCalls } = parser.nodes;
  return { ok: true, expression: { source: text, root, offsets, macroCalls } };
}

/** Pattern of escapes such as `\u` that can denote half of a surrogate pair. */
const WIDE_ESCAPE = /\\[uU]/;

/** Grammar rules whose nesting depth is limited in upstream. */
type Rule = 'expr' | 'relation' | 'calc' | 'member';

class Parser {
  readonly nodes: NodeFactory;
  /** True if the text has a syntax error. After a syntax error, the rest of the text is not parsed. */
  brokenSyntax = false;
  readonly #syntax: AskableSyntax;
  readonly #issues: Issues;
  readonly #tokens: readonly Token[];
  #position = 0;
  #failed = false;
  readonly #depths: Record<Rule, number> = { expr: 0, relation: 0, calc: 0, member: 0 };
  /**
   * Nesting depth of operators in the tree that was parsed last. It is limited because upstream's visitor has the same depth limit as its
   * grammar.
   */
  #height = 0;

  constructor(tokens: readonly Token[], syntax: AskableSyntax, issues: Issues) {
    this.#syntax = syntax;
    this.#issues = issues;
    this.nodes = new NodeFactory(issues);
    this.#tokens = tokens;
  }

  parse(): Expr {
    const root = this.#expression();
    if (this.#token.kind !== 'EOF') this.#fail();
    return root;
  }

  get #token(): Token {
    return this.#tokens[this.#position]!;
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#position + 1];
  }

  #is(kind: TokenKind): boolean {
    return this.#token.kind === kind;
  }

  #take(): Token {
    const token = this.#token;
    if (token.kind !== 'EOF') this.#position++;
    return token;
  }

  #accept(kind: TokenKind): Token | undefined {
    return this.#is(kind) ? this.#take() : undefined;
  }

  /** Consumes a token of the given kind. A token of another kind is a syntax error. */
  #expect(kind: TokenKind): void {
    if (this.#accept(kind) === undefined) this.#fail();
  }

  /** Records a syntax error and skips the rest of the text. */
  #fail(): Expr {
    if (!this.#failed) this.brokenSyntax = true;
    return this.#giveUp();
  }

  #giveUp(): Expr {
    this.#failed = true;
    this.#position = this.#tokens.length - 1;
    return { kind: 'constant', id: 0, constant: { type: 'null' } };
  }

  #within(rule: Rule, parse: () => Expr): Expr {
    this.#depths[rule]++;
    const tooDeep = this.#depths[rule] > RECURSION_LIMIT;
    if (tooDeep && !this.#failed) this.#issues.report(undefined, `expression recursion limit exceeded: ${RECURSION_LIMIT}`);
    const node = tooDeep ? this.#giveUp() : parse();
    this.#depths[rule]--;
    return node;
  }

  /** Sets `height` for an operator whose operands have the given heights. Reports an error if the height exceeds the limit. */
  #nest(...heights: readonly number[]): void {
    this.#height = 1 + Math.max(...heights);
    if (this.#height > RECURSION_LIMIT && !this.#failed) {
      this.#issues.report(undefined, 'max recursion depth exceeded');
      this.#giveUp();
    }
  }

  #expression(): Expr {
    return this.#within('expr', () => {
      const condition = this.#disjunction();
      const question = this.#accept('?');
      if (question === undefined) return condition;
      const conditionHeight = this.#height;
      const id = this.nodes.idAt(question.offset);
      const yes = this.#disjunction();
      const yesHeight = this.#height;
      this.#expect(':');
      const no = this.#expression();
      this.#nest(conditionHeight, yesHeight, this.#height);
      return this.nodes.call(id, OPERATOR.conditional, [condition, yes, no]);
    });
  }

  #disjunction(): Expr {
    return this.#chain('||', OPERATOR.or, () => this.#conjunction());
  }

  #conjunction(): Expr {
    return this.#chain('&&', OPERATOR.and, () => this.#relation());
  }

  #chain(operator: TokenKind, name: string, term: () => Expr): Expr {
    const terms = [term()];
    const ids: number[] = [];
    let height = this.#height;
    for (let found = this.#accept(operator); found !== undefined; found = this.#accept(operator)) {
      terms.push(term());
      ids.push(this.nodes.idAt(found.offset));
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return balancedTree(this.nodes, name, terms, ids);
  }

  #relation(): Expr {
    return this.#within('relation', () => {
      let left = this.#sum();
      for (let name = RELATIONS[this.#token.kind]; name !== undefined; name = RELATIONS[this.#token.kind]) {
        left = this.#binary(name, left, () => this.#within('relation', () => this.#sum()));
      }
      return left;
    });
  }

  #sum(): Expr {
    return this.#within('calc', () => {
      let left = this.#product();
      for (;;) {
        const name = this.#token.kind === '+' ? OPERATOR.add : this.#token.kind === '-' ? OPERATOR.subtract : undefined;
        if (name === undefined) return left;
        left = this.#binary(name, left, () => this.#within('calc', () => this.#product()));
      }
    });
  }

  #product(): Expr {
    let left = this.#unary();
    for (;;) {
      const { kind } = this.#token;
      const name = kind === '*' ? OPERATOR.multiply : kind === '/' ? OPERATOR.divide : kind === '%' ? OPERATOR.modulo : undefined;
      if (name === undefined) return left;
      left = this.#binary(name, left, () => this.#within('calc', () => this.#unary()));
    }
  }

  #binary(name: string, left: Expr, right: () => Expr): Expr {
    const height = this.#height;
    const id = this.nodes.idAt(this.#take().offset);
    const operand = right();
    this.#nest(height, this.#height);
    return this.nodes.call(id, name, [left, operand]);
  }

  #unary(): Expr {
    const { kind, offset } = this.#token;
    if (kind !== '!' && (kind !== '-' || this.#isNegativeLiteral())) return this.#member();
    let count = 0;
    while (this.#token.kind === kind) {
      this.#take();
      count++;
    }
    if (count % 2 === 0) return this.#member();
    const id = this.nodes.idAt(offset);
    return this.nodes.call(id, kind === '!' ? OPERATOR.not : OPERATOR.negate, [this.#member()]);
  }

  #isNegativeLiteral(): boolean {
    return this.#next?.kind === 'NUM_INT' || this.#next?.kind === 'NUM_FLOAT';
  }

  #member(): Expr {
    return this.#within('member', () => {
      let operand = this.#primary();
      for (;;) {
        if (this.#token.kind === '.') operand = this.#selection(operand);
        else if (this.#token.kind === '[') operand = this.#indexing(operand);
        else return operand;
      }
    });
  }

  #selection(operand: Expr): Expr {
    const operandHeight = this.#height;
    const dot = this.#take();
    const question = this.#accept('?');
    const name = this.#token;
    if (name.kind !== 'IDENTIFIER' && name.kind !== 'ESC_IDENTIFIER') return this.#fail();
    this.#take();
    if (name.kind === 'IDENTIFIER' && question === undefined && this.#token.kind === '(') {
      const id = this.nodes.idAt(this.#take().offset);
      const args = this.#arguments();
      this.#nest(operandHeight, this.#height);
      return this.#callOrMacro(id, name.text, args, operand);
    }
    this.#nest(operandHeight);
    const field = this.#fieldName(name);
    if (question === undefined) return { kind: 'select', id: this.nodes.idAt(dot.offset), operand, field, testOnly: false };
    if (!this.#syntax.optionals) return this.nodes.failure(dot.offset, "unsupported syntax '.?'");
    const constant = this.nodes.constant(name.offset, { type: 'string', value: field });
    return this.nodes.call(this.nodes.idAt(dot.offset), OPERATOR.optionalSelect, [operand, constant]);
  }

  #indexing(operand: Expr): Expr {
    const operandHeight = this.#height;
    const bracket = this.#take();
    const id = this.nodes.idAt(bracket.offset);
    const question = this.#accept('?');
    const index = this.#expression();
    this.#expect(']');
    this.#nest(operandHeight, this.#height);
    if (question === undefined) return this.nodes.call(id, OPERATOR.index, [operand, index]);
    if (!this.#syntax.optionals) return this.nodes.failure(bracket.offset, "unsupported syntax '[?'");
    return this.nodes.call(id, OPERATOR.optionalIndex, [operand, index]);
  }

  /** Parses arguments up to and including the closing parenthesis. */
  #arguments(): Expr[] {
    const args: Expr[] = [];
    this.#height = 0;
    if (this.#accept(')') !== undefined) return args;
    let height = 0;
    do {
      args.push(this.#expression());
      height = Math.max(height, this.#height);
    } while (this.#accept(',') !== undefined);
    this.#expect(')');
    this.#height = height;
    return args;
  }

  #callOrMacro(id: number, name: string, args: readonly Expr[], target: Expr | undefined): Expr {
    const call = this.nodes.call(id, name, args, target);
    const macro = this.#syntax.macros.get(macroKey(name, args.length, target === undefined ? 'function' : 'method'));
    if (macro === undefined || this.#failed) return call;
    if (this.nodes.count > MAX_NODES) {
      this.#issues.report(undefined, `macros expand to more than ${MAX_NODES} nodes`);
      return this.#giveUp();
    }
    const expansion = macro.expand(new ExpansionFactory(this.nodes, id, this.#syntax), args, target);
    if (expansion.kind === 'error') {
      this.nodes.release(id);
      return this.nodes.failure(this.nodes.offsetOf(expansion.at.id), expansion.message);
    }
    this.nodes.macroCalls.set(expansion.id, { ...call, id: 0 });
    this.nodes.release(id);
    return expansion;
  }

  #fieldName(token: Token): string {
    if (token.kind === 'IDENTIFIER') return token.text;
    if (!this.#syntax.quotedIdentifiers) this.nodes.failure(token.offset, "unsupported syntax: '`'");
    return token.text.slice(1, -1);
  }

  #primary(): Expr {
    this.#height = 0;
    const { kind } = this.#token;
    if (kind === 'IDENTIFIER' || (kind === '.' && this.#next?.kind === 'IDENTIFIER')) return this.#named();
    if (kind === '(') {
      this.#take();
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (kind === '[') return this.#list();
    if (kind === '{') return this.#map();
    return this.#literal();
  }

  /** Parses an identifier, a call of a global function, or a message literal. */
  #named(): Expr {
    if (this.#isMessage()) return this.#struct();
    const start = this.#token.offset;
    const dot = this.#accept('.') === undefined ? '' : '.';
    const identifier = this.#take();
    if (RESERVED_WORDS.has(identifier.text)) return this.#reserved(start, identifier.text);
    const name = dot + identifier.text;
    if (this.#token.kind !== '(') return { kind: 'ident', id: this.nodes.idAt(identifier.offset), name };
    const id = this.nodes.idAt(this.#take().offset);
    return this.#callOrMacro(id, name, this.#arguments(), undefined);
  }

  #reserved(offset: number, word: string): Expr {
    if (this.#accept('(') !== undefined) {
      const ids = this.#issues.count;
      this.#arguments();
      if (this.#issues.count > ids && this.#failed) return this.#giveUp();
    }
    return this.nodes.failure(offset, `reserved identifier: ${word}`);
  }

  /** Returns true if the next tokens start a message literal, such as `a.b.c {`. */
  #isMessage(): boolean {
    let at = this.#position + (this.#token.kind === '.' ? 2 : 1);
    while (this.#tokens[at]?.kind === '.' && this.#tokens[at + 1]?.kind === 'IDENTIFIER') at += 2;
    return this.#tokens[at]?.kind === '{';
  }

  #struct(): Expr {
    let typeName = '';
    while (!this.#is('{')) typeName += this.#take().text;
    const id = this.nodes.idAt(this.#take().offset);
    const fields: StructField[] = [];
    let height = 0;
    while (!this.#is('}') && !this.#is(',') && !this.#failed) {
      const question = this.#accept('?');
      const name = this.#token;
      if (name.kind !== 'IDENTIFIER' && name.kind !== 'ESC_IDENTIFIER') {
        return this.#fail();
      }
      this.#take();
      const fieldId = this.nodes.idAt(this.#token.offset);
      this.#expect(':');
      if (question !== undefined && !this.#syntax.optionals) this.nodes.failure(question.offset, "unsupported syntax '?'");
      fields.push({ id: fieldId, name: this.#fieldName(name), value: this.#expression(), optional: question !== undefined });
      height = Math.max(height, this.#height);
      if (this.#accept(',') === undefined) break;
    }
    this.#closeLiteral('}');
    this.#height = height;
    return { kind: 'struct', id, typeName, fields };
  }

  #list(): Expr {
    const id = this.nodes.idAt(this.#take().offset);
    const elements: Expr[] = [];
    const optionalIndices: number[] = [];
    let height = 0;
    while (!this.#is(']') && !this.#is(',') && !this.#failed) {
      const question = this.#accept('?');
      elements.push(this.#expression());
      height = Math.max(height, this.#height);
      if (question !== undefined) {
        if (this.#syntax.optionals) optionalIndices.push(elements.length - 1);
        else this.nodes.failure(question.offset, "unsupported syntax '?'");
      }
      if (this.#accept(',') === undefined) break;
    }
    this.#closeLiteral(']');
    this.#height = height;
    return { kind: 'list', id, elements, optionalIndices };
  }

  #map(): Expr {
    const id = this.nodes.idAt(this.#take().offset);
    const entries: MapEntry[] = [];
    let height = 0;
    while (!this.#is('}') && !this.#is(',') && !this.#failed) {
      const entryId = this.nodes.reserve();
      const question = this.#accept('?');
      const key = this.#expression();
      height = Math.max(height, this.#height);
      this.nodes.place(entryId, this.#token.offset);
      this.#expect(':');
      if (question !== undefined && !this.#syntax.optionals) this.nodes.failure(question.offset, "unsupported syntax '?'");
      entries.push({ id: entryId, key, value: this.#expression(), optional: question !== undefined });
      height = Math.max(height, this.#height);
      if (this.#accept(',') === undefined) break;
    }
    this.#closeLiteral('}');
    this.#height = height;
    return { kind: 'map', id, entries };
  }

  /** Parses the end of a list, map or message literal. `[,]`, `{,}` and a trailing comma are allowed. */
  #closeLiteral(bracket: ']' | '}'): void {
    const previous = this.#tokens[this.#position - 1]!.kind;
    if (previous === '[' || previous === '{') this.#accept(',');
    this.#expect(bracket);
  }

  #literal(): Expr {
    const { offset } = this.#token;
    const sign = this.#token.kind === '-' ? this.#take().text : '';
    const { kind, text } = this.#token;
    const { nodes } = this;
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other tokens begin no literal
    switch (kind) {
      case 'NUM_INT': {
        this.#take();
        const value = BigInt(text) * (sign === '' ? 1n : -1n);
        if (BigInt.asIntN(64, value) !== value) return nodes.failure(offset, 'invalid int literal');
        return nodes.constant(offset, { type: 'int', value });
      }
      case 'NUM_UINT': {
        this.#take();
        const value = BigInt(text.slice(0, -1));
        if (BigInt.asUintN(64, value) !== value) return nodes.failure(offset, 'invalid uint literal');
        return nodes.constant(offset, { type: 'uint', value });
      }
      case 'NUM_FLOAT': {
        this.#take();
        const value = Number(sign + text);
        if (!Number.isFinite(value)) return nodes.failure(offset, 'invalid double literal');
        return nodes.constant(offset, { type: 'double', value });
      }
      case 'STRING': {
        this.#take();
        const value = unescapeString(text, WIDE_ESCAPE.test(text) && this.#syntax.readsAnyCodePoint);
        if (!value.ok) return this.#badEscape(offset, value.error);
        return nodes.constant(offset, { type: 'string', value: value.text });
      }
      case 'BYTES': {
        this.#take();
        const value = unescapeBytes(text);
        if (!value.ok) return this.#badEscape(offset, value.error);
        return nodes.constant(offset, { type: 'bytes', value: value.bytes });
      }
      case 'true':
      case 'false':
        this.#take();
        return nodes.constant(offset, { type: 'bool', value: kind === 'true' });
      case 'null':
        this.#take();
        return nodes.constant(offset, { type: 'null' });
      default:
        return this.#fail();
    }
  }

  /**
   * Reports an invalid escape and returns a placeholder for the literal. Like in upstream, the error is assigned an id before the literal.
   */
  #badEscape(offset: number, error: string): Expr {
    this.nodes.failure(offset, error);
    return this.nodes.constant(offset, { type: 'null' });
  }
}
