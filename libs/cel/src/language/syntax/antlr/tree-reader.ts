import type { ParserRuleContext, Token } from 'antlr4ng';
import { balancedTree, ExpansionFactory, NodeFactory } from '../node-factory.ts';
import type { Issues } from '../issues.ts';
import { macroKey } from '../syntax.ts';
import type { AskableSyntax } from '../syntax.ts';
import { RESERVED_WORDS } from '../../../values/schema/field-name.ts';
import { OPERATOR, RELATIONS } from '../../../library/names.ts';
import { unescapeBytes, unescapeString } from '../unescape.ts';
import type { Expr, MapEntry, StructField } from '../ast.ts';
import * as tree from './generated/CelParser.ts';

const ARITHMETIC: Readonly<Record<string, string>> = {
  '*': OPERATOR.multiply,
  '/': OPERATOR.divide,
  '%': OPERATOR.modulo,
  '+': OPERATOR.add,
  '-': OPERATOR.subtract,
};
type Found<T> = T | null | undefined;

/**
 * Reader that converts a syntax tree of ANTLR to expression nodes. The tree belongs to a text with syntax errors, and ANTLR's error
 * recovery built it. The reader reports the errors of upstream's visitor: invalid literals, reserved words and macro arguments. Parts that
 * the recovery could not parse become placeholder nodes. Source: cel-go parser/parser.go (v0.29.2).
 */
export class TreeReader {
  readonly #syntax: AskableSyntax;
  readonly #issues: Issues;
  readonly #nodes: NodeFactory;

  constructor(syntax: AskableSyntax, issues: Issues) {
    this.#syntax = syntax;
    this.#issues = issues;
    this.#nodes = new NodeFactory(issues);
  }

  read(start: tree.StartContext): Expr {
    return this.#visit(start.expr());
  }

  #visit(context: Found<ParserRuleContext>): Expr {
    const node = unnest(context);
    if (node instanceof tree.ExprContext) return this.#conditional(node);
    if (node instanceof tree.ConditionalOrContext) return this.#chain(node, OPERATOR.or, '||');
    if (node instanceof tree.ConditionalAndContext) return this.#chain(node, OPERATOR.and, '&&');
    if (node instanceof tree.RelationContext) return this.#binary(node, RELATIONS, node.relation());
    if (node instanceof tree.CalcContext) return this.#binary(node, ARITHMETIC, node.calc());
    if (node instanceof tree.LogicalNotContext) return this.#prefixed(node, OPERATOR.not);
    if (node instanceof tree.NegateContext) return this.#prefixed(node, OPERATOR.negate);
    if (node instanceof tree.SelectContext) return this.#selection(node);
    if (node instanceof tree.MemberCallContext) return this.#memberCall(node);
    if (node instanceof tree.IndexContext) return this.#indexing(node);
    if (node instanceof tree.IdentContext) return this.#ident(node);
    if (node instanceof tree.GlobalCallContext) return this.#globalCall(node);
    if (node instanceof tree.CreateListContext) return this.#list(node);
    if (node instanceof tree.CreateStructContext) return this.#map(node);
    if (node instanceof tree.CreateMessageContext) return this.#struct(node);
    if (node instanceof tree.UnaryContext) return this.#nodes.constant(offsetOf(node) ?? 0, { type: 'string', value: '<<error>>' });
    if (node instanceof tree.LiteralContext) return this.#literal(node);
    return this.#hole();
  }

  /** Returns a placeholder for a node that recovery could not create. No error is reported, because a syntax error was reported before. */
  #hole(at?: ParserRuleContext): Expr {
    return { kind: 'constant', id: this.#nodes.idAt(at && offsetOf(at)), constant: { type: 'null' } };
  }

  #conditional(node: tree.ExprContext): Expr {
    const condition = this.#visit(node._e);
    const id = this.#nodes.idAt(node._op ? placeOf(node._op) : undefined);
    const yes = this.#visit(node._e1);
    return this.#nodes.call(id, OPERATOR.conditional, [condition, yes, this.#visit(node._e2)]);
  }

  #chain(node: tree.ConditionalOrContext | tree.ConditionalAndContext, name: string, symbol: string): Expr {
    const terms = [this.#visit(node._e)];
    const ids: number[] = [];
    for (const [i, operator] of node._ops.entries()) {
      const next = node._e1[i];
      if (next === undefined) return this.#nodes.failure(offsetOf(node), `unexpected character, wanted '${symbol}'`);
      terms.push(this.#visit(next));
      ids.push(this.#nodes.idAt(placeOf(operator)));
    }
    return balancedTree(this.#nodes, name, terms, ids);
  }

  #binary(
    node: tree.RelationContext | tree.CalcContext,
    names: Readonly<Record<string, string | undefined>>,
    operands: readonly ParserRuleContext[],
  ): Expr {
    const name = names[node._op?.text ?? ''];
    if (name === undefined || !node._op) return this.#nodes.failure(offsetOf(node), 'operator not found');
    const left = this.#visit(operands[0]);
    const id = this.#nodes.idAt(placeOf(node._op));
    return this.#nodes.call(id, name, [left, this.#visit(operands[1])]);
  }

  #prefixed(node: tree.LogicalNotContext | tree.NegateContext, name: string): Expr {
    const [first] = node._ops;
    if (node._ops.length % 2 === 0 || !first) return this.#visit(node.member());
    const id = this.#nodes.idAt(placeOf(first));
    return this.#nodes.call(id, name, [this.#visit(node.member())]);
  }

  #selection(node: tree.SelectContext): Expr {
    const operand = this.#visit(node.member());
    if (!node._id || !node._op) return this.#hole(node);
    const field = this.#fieldName(node._id, node._id);
    const id = (): number => this.#nodes.idAt(placeOf(node._op as Token));
    if (!node._opt) return { kind: 'select', id: id(), operand, field: field ?? '', testOnly: false };
    if (!this.#syntax.optionals) return this.#nodes.failure(placeOf(node._op), "unsupported syntax '.?'");
    const name = this.#nodes.constant(offsetOf(node._id) ?? 0, { type: 'string', value: field ?? '' });
    return this.#nodes.call(id(), OPERATOR.optionalSelect, [operand, name]);
  }

  #memberCall(node: tree.MemberCallContext): Expr {
    const target = this.#visit(node.member());
    if (!node._id) return this.#hole(node);
    const id = this.#nodes.idAt(node._open ? placeOf(node._open) : undefined);
    return this.#callOrMacro(id, node._id.text ?? '', this.#arguments(node._args), target);
  }

  #indexing(node: tree.IndexContext): Expr {
    const target = this.#visit(node.member());
    if (!node._op) return this.#hole(node);
    const id = this.#nodes.idAt(placeOf(node._op));
    const index = this.#visit(node._index);
    if (node._opt && !this.#syntax.optionals) this.#nodes.failure(placeOf(node._op), "unsupported syntax '[?'");
    return this.#nodes.call(id, node._opt ? OPERATOR.optionalIndex : OPERATOR.index, [target, index]);
  }

  #ident(node: tree.IdentContext): Expr {
    const name = this.#unreserved(node, node._id);
    if (typeof name !== 'string') return name;
    return { kind: 'ident', id: this.#nodes.idAt(node._id ? placeOf(node._id) : undefined), name: (node._leadingDot ? '.' : '') + name };
  }

  #globalCall(node: tree.GlobalCallContext): Expr {
    const name = this.#unreserved(node, node._id);
    if (typeof name !== 'string') return name;
    const id = this.#nodes.idAt(node._op ? placeOf(node._op) : undefined);
    return this.#callOrMacro(id, (node._leadingDot ? '.' : '') + name, this.#arguments(node._args), undefined);
  }

  /** Returns the name in `id`. If the name is missing, returns a placeholder node. If it is a reserved word, also reports an error. */
  #unreserved(node: ParserRuleContext, id: Found<Token>): string | Expr {
    if (!id) return this.#hole(node);
    const name = id.text ?? '';
    return RESERVED_WORDS.has(name) ? this.#nodes.failure(offsetOf(node), `reserved identifier: ${name}`) : name;
  }

  #arguments(list: Found<tree.ExprListContext>): Expr[] {
    return list ? list._e.map((argument) => this.#visit(argument)) : [];
  }

  #callOrMacro(id: number, name: string, args: readonly Expr[], target: Expr | undefined): Expr {
    const macro = this.#syntax.macros.get(macroKey(name, args.length, target === undefined ? 'function' : 'method'));
    const expansion = macro?.expand(new ExpansionFactory(this.#nodes, id, this.#syntax), args, target);
    if (expansion === undefined) return this.#nodes.call(id, name, args, target);
    if (expansion.kind !== 'error') {
      this.#nodes.release(id);
      return expansion;
    }
    // An argument with a syntax error has no position. Kubernetes then reports column 0, one before the expression's first character.
    const offset = this.#nodes.offsetOf(expansion.at.id) ?? -1;
    this.#nodes.release(id);
    return this.#nodes.failure(offset, expansion.message);
  }

  #list(node: tree.CreateListContext): Expr {
    const id = this.#nodes.idAt(node._op ? placeOf(node._op) : undefined);
    const elements = (node._elems?._elems ?? []).map((element) => {
      const value = this.#visit(element._e);
      if (element._opt && !this.#syntax.optionals) this.#nodes.failure(placeOf(element._opt), "unsupported syntax '?'");
      return value;
    });
    return { kind: 'list', id, elements, optionalIndices: [] };
  }

  #map(node: tree.CreateStructContext): Expr {
    const id = this.#nodes.idAt(node._op ? placeOf(node._op) : undefined);
    const entries: MapEntry[] = [];
    const list = node._entries;
    for (const [i, colon] of (list?._cols ?? []).entries()) {
      const entryId = this.#nodes.idAt(placeOf(colon));
      const key = list?._keys[i];
      const value = list?._values[i];
      if (!key || !value) break;
      if (key._opt && !this.#syntax.optionals) {
        this.#nodes.failure(offsetOf(key), "unsupported syntax '?'");
        continue;
      }
      const keyNode = this.#visit(key._e);
      entries.push({ id: entryId, key: keyNode, value: this.#visit(value), optional: Boolean(key._opt) });
    }
    return { kind: 'map', id, entries };
  }

  #struct(node: tree.CreateMessageContext): Expr {
    const id = this.#nodes.idAt(node._op ? placeOf(node._op) : undefined);
    const list = node._entries;
    const fields: StructField[] = [];
    for (const [i, field] of (list?._fields ?? []).entries()) {
      const colon = list?._cols[i];
      const value = list?._values[i];
      if (!list || !colon || !value) break;
      const fieldId = this.#nodes.idAt(placeOf(colon));
      if (field._opt && !this.#syntax.optionals) {
        this.#nodes.failure(offsetOf(field), "unsupported syntax '?'");
        continue;
      }
      const name = this.#fieldName(field.escapeIdent(), list);
      if (name !== undefined) fields.push({ id: fieldId, name, value: this.#visit(value), optional: Boolean(field._opt) });
    }
    return { kind: 'struct', id, typeName: node._ids.map((part) => part.text ?? '').join('.'), fields };
  }

  /** Returns the name of a field. If the name is invalid, reports an error at `at` and returns undefined. */
  #fieldName(name: Found<tree.EscapeIdentContext>, at: ParserRuleContext): string | undefined {
    if (name instanceof tree.SimpleIdentifierContext) return name._id?.text ?? '';
    if (name instanceof tree.EscapedIdentifierContext && this.#syntax.quotedIdentifiers) return (name._id?.text ?? '').slice(1, -1);
    const complaint = name instanceof tree.EscapedIdentifierContext ? "unsupported syntax: '`'" : 'unsupported ident kind';
    if (this.#syntax.lacksBackTicks !== true) this.#nodes.failure(offsetOf(at), complaint);
    return undefined;
  }

  #literal(node: tree.LiteralContext): Expr {
    const offset = offsetOf(node) ?? 0;
    const fail = (message: string): Expr => this.#nodes.failure(offset, message);
    const sign = (token: Found<Token>): string => token?.text ?? '';
    if (node instanceof tree.IntContext) {
      const value = BigInt(node._tok?.text ?? '0') * (sign(node._sign) === '' ? 1n : -1n);
      return BigInt.asIntN(64, value) === value ? this.#nodes.constant(offset, { type: 'int', value }) : fail('invalid int literal');
    }
    if (node instanceof tree.UintContext) {
      const value = BigInt((node._tok?.text ?? '0u').slice(0, -1));
      return BigInt.asUintN(64, value) === value ? this.#nodes.constant(offset, { type: 'uint', value }) : fail('invalid uint literal');
    }
    if (node instanceof tree.DoubleContext) {
      const value = Number(sign(node._sign) + (node._tok?.text ?? '0'));
      return Number.isFinite(value) ? this.#nodes.constant(offset, { type: 'double', value }) : fail('invalid double literal');
    }
    if (node instanceof tree.StringContext) {
      const value = unescapeString(node._tok?.text ?? '""', this.#syntax.readsAnyCodePoint);
      if (!value.ok) this.#issues.report(offset, value.error);
      return this.#nodes.constant(offset, { type: 'string', value: value.ok ? value.text : '' });
    }
    if (node instanceof tree.BytesContext) {
      const value = unescapeBytes(node._tok?.text ?? 'b""');
      if (!value.ok) this.#issues.report(offset, value.error);
      return this.#nodes.constant(offset, { type: 'bytes', value: value.ok ? value.bytes : new Uint8Array() });
    }
    if (node instanceof tree.NullContext) return this.#nodes.constant(offset, { type: 'null' });
    if (node instanceof tree.BoolTrueContext || node instanceof tree.BoolFalseContext) {
      return this.#nodes.constant(offset, { type: 'bool', value: node instanceof tree.BoolTrueContext });
    }
    return this.#hole();
  }
}

/** Returns the first node, from `context` downwards, that is not only an intermediate level of the grammar. */
function unnest(context: Found<ParserRuleContext>): Found<ParserRuleContext> {
  let node: Found<ParserRuleContext> = context;
  for (;;) {
    if (node instanceof tree.ExprContext && !node._op) node = node._e;
    else if ((node instanceof tree.ConditionalOrContext || node instanceof tree.ConditionalAndContext) && node._ops.length === 0)
      node = node._e;
    else if (node instanceof tree.RelationContext && !node._op) node = node.calc();
    else if (node instanceof tree.CalcContext && !node._op) node = node.unary();
    else if (node instanceof tree.MemberExprContext) node = node.member();
    else if (node instanceof tree.PrimaryExprContext) node = node.primary();
    else if (node instanceof tree.NestedContext) node = node._e;
    else if (node instanceof tree.ConstantLiteralContext) node = node.literal();
    else return node;
  }
}

/** Returns the offset of a token in the text, in code points. */
const placeOf = (token: Token): number => token.start;

/** Returns the offset of a node's first token, in code points. Undefined if the node has no token. */
const offsetOf = (node: ParserRuleContext): number | undefined => node.start?.start;
