import { RESERVED_WORDS } from '../../values/schema/field-name.ts';
import { OPERATOR } from '../../library/names.ts';
import { WELL_KNOWN_CONSTANTS } from '../../values/messages/well-known-messages.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR_TYPE,
  INT,
  isDyn,
  isExactType,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  typeParameter,
  UINT,
} from '../../values/types/type.ts';
import type { CelType, ObjectType } from '../../values/types/type.ts';
import { replaceParameters, Substitution } from '../../values/types/substitution.ts';
import {
  fieldTypeMismatch,
  incompatibleType,
  noFieldSelection,
  noMatchingOverload,
  notAMessageType,
  notARange,
  typeMismatch,
  undeclaredReference,
  undefinedField,
  unresolvedType,
} from './errors.ts';
import { VariableScope } from './declarations.ts';
import type { Declarations, DeclaredFunction } from './declarations.ts';
import type { SymbolCatalog } from './symbol-catalog.ts';
import type { CheckedExpression, Reference } from './checked.ts';
import type { Overload } from '../../library/define.ts';
import type {
  CallExpr,
  ComprehensionExpr,
  ConstantExpr,
  Expr,
  IdentExpr,
  ListExpr,
  MapExpr,
  ParsedExpression,
  SelectExpr,
  StructExpr,
} from '../syntax/ast.ts';
import type { Issues } from '../syntax/issues.ts';

/**
 * Determines the type of every node and the overloads of every call. Errors are added to `issues`. If `issues` contains errors, the result
 * must not be used. Source: cel-go checker/checker.go (v0.29.2).
 */
export function checkExpression(parsed: ParsedExpression, declarations: Declarations, issues: Issues): CheckedExpression {
  return new Checker(parsed, declarations, issues).run();
}

/** Meaning of a name: a variable, a type or a constant. */
type Meaning = { readonly name: string; readonly type: CelType } | { readonly name: string; readonly constant: ConstantExpr['constant'] };

const CONSTANT_TYPES: Readonly<Record<ConstantExpr['constant']['type'], CelType>> = {
  null: NULL,
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
};

class Checker {
  readonly #parsed: ParsedExpression;
  readonly #declarations: Declarations;
  readonly #issues: Issues;
  readonly #types = new Map<number, CelType>();
  readonly #references = new Map<number, Reference>();
  readonly #substitution: Substitution;
  #scope: VariableScope | undefined;
  #freeParameters = 0;
  #suggested: SymbolCatalog | undefined;
  /** Dotted names of which no part is declared, also without their last part. */
  readonly #unknown = new Set<Expr>();

  constructor(parsed: ParsedExpression, declarations: Declarations, issues: Issues) {
    this.#parsed = parsed;
    this.#declarations = declarations;
    this.#issues = issues;
    this.#substitution = new Substitution(declarations);
  }

  run(): CheckedExpression {
    const root = this.#check(this.#parsed.root);
    for (const [id, type] of this.#types) this.#types.set(id, this.#substitution.resolve(type));
    return { ...this.#parsed, root, types: this.#types, references: this.#references, outputType: this.#typeOf(root) };
  }

  #complain(id: number, message: string): void {
    this.#issues.report(this.#parsed.offsets.get(id), message);
  }

  #undeclaredText(name: string): string {
    // If the list of errors is full, an error is only counted, so its text is not needed.
    return this.#issues.isFull ? '' : undeclaredReference(name, this.#catalog());
  }

  /** Names for suggestions. The catalog is made once an error needs it. */
  #catalog(): SymbolCatalog | undefined {
    return (this.#suggested ??= this.#declarations.catalog?.());
  }

  /**
   * Reports a dotted name of which no part is declared as one unknown name, if a declared name is similar. Returns false if nothing is
   * reported. `operand` is the node of the name's beginning `prefix`. Source: cel-go checker/errors.go `checkUndeclaredReference` (v0.33.2).
   */
  #complainOfDotted(node: SelectExpr | CallExpr, operand: Expr, prefix: readonly string[], last: string): boolean {
    if (this.#declarations.catalog === undefined) return false;
    const isUnknown = this.#unknown.has(node) || !prefix.some((_, i) => this.#resolveName(prefix.slice(0, i + 1)) !== undefined);
    if (!isUnknown) return false;
    this.#unknown.add(operand);
    const name = [...prefix, last].join('.');
    if (this.#catalog()!.find(name).length === 0) return false;
    this.#complain(node.id, this.#undeclaredText(name));
    return true;
  }

  #typeOf(node: Expr): CelType {
    return this.#types.get(node.id) ?? ERROR_TYPE;
  }

  /**
   * Records the type of a checked node. A node may be checked twice, because macros of older Kubernetes minor versions use a node in
   * several positions. If the second type differs from the first type, an error is reported.
   */
  #typed(node: Expr, type: CelType): Expr {
    const known = this.#types.get(node.id);
    if (known !== undefined && !isExactType(known, type))
      this.#complain(node.id, incompatibleType(node, known, type, this.#declarations.naming));
    else this.#types.set(node.id, type);
    return node;
  }

  /** Checks a node and returns it. If the checker resolved a qualified name, the returned node is an identifier or a constant. */
  #check(node: Expr): Expr {
    switch (node.kind) {
      case 'constant':
        return this.#typed(node, CONSTANT_TYPES[node.constant.type]);
      case 'ident':
        return this.#checkIdent(node);
      case 'select':
        return this.#checkSelect(node);
      case 'call':
        return this.#checkCall(node);
      case 'list':
        return this.#checkList(node);
      case 'map':
        return this.#checkMap(node);
      case 'struct':
        return this.#checkStruct(node);
      case 'comprehension':
        return this.#checkComprehension(node);
    }
  }

  #checkIdent(node: IdentExpr): Expr {
    const resolved = this.#resolveName([node.name]);
    if (resolved !== undefined) return this.#nameNode(node.id, resolved);
    this.#complain(node.id, this.#undeclaredText(node.name));
    return this.#typed(node, ERROR_TYPE);
  }

  /**
   * Returns the variable, type or constant to which a dotted name refers. Undefined if the name is unknown. A name with a leading dot
   * cannot refer to a comprehension variable.
   */
  #resolveName(parts: readonly string[]): Meaning | undefined {
    const absolute = parts[0]!.startsWith('.');
    const local = this.#scope?.find(absolute ? parts[0]!.slice(1) : parts[0]!);
    if (local !== undefined && !absolute) return parts.length === 1 ? { name: parts[0]!, type: local } : undefined;
    const joined = parts.join('.');
    const name = absolute ? joined.slice(1) : joined;
    const type = this.#declarations.variable(name);
    if (type !== undefined) return { name: local === undefined ? name : `.${name}`, type };
    const constant = WELL_KNOWN_CONSTANTS.get(name);
    return constant && { name, constant };
  }

  #nameNode(id: number, meaning: Meaning): Expr {
    if ('constant' in meaning) return this.#check({ kind: 'constant', id, ...meaning });
    const { name, type } = meaning;
    this.#references.set(id, { name, overloads: [] });
    return this.#typed({ kind: 'ident', id, name }, type);
  }

  #checkSelect(node: SelectExpr): Expr {
    const parts = node.testOnly ? undefined : qualifiedName(node);
    const resolved = parts === undefined ? undefined : this.#resolveName(parts);
    if (resolved !== undefined) return this.#nameNode(node.id, resolved);
    if (parts !== undefined && this.#complainOfDotted(node, node.operand, parts.slice(0, -1), node.field))
      return this.#typed(node, ERROR_TYPE);
    const { operand, type } = this.#checkField(node.id, node.operand, node.field, 'select');
    return this.#typed(operand === node.operand ? node : { ...node, operand }, node.testOnly ? BOOL : this.#substitution.apply(type));
  }

  /** Checks `operand.field`. The resulting type is an optional if the operand is an optional or the selection is optional (`.?field`). */
  #checkField(id: number, unchecked: Expr, field: string, selection: 'select' | 'optionalSelect'): { operand: Expr; type: CelType } {
    const operand = this.#check(unchecked);
    const operandType = this.#substitution.apply(this.#typeOf(operand));
    const target = operandType.kind === 'optional' ? operandType.value : operandType;
    const type = this.#fieldType(id, target, field);
    return { operand, type: selection === 'optionalSelect' || operandType.kind === 'optional' ? optionalOf(type) : type };
  }

  #fieldType(id: number, target: CelType, field: string): CelType {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types have no fields
    switch (target.kind) {
      case 'map':
        return target.value;
      case 'object': {
        const type = this.#declaredField(target, field);
        if (type === undefined) {
          this.#complain(id, target.fields === undefined ? unresolvedType(target.name) : undefinedField(field));
          if (target.fields !== undefined) this.#issues.noteUndefined({ field, declared: target.fields });
        }
        return type ?? ERROR_TYPE;
      }
      case 'typeParameter':
        this.#substitution.assign(DYN, target);
        return DYN;
      default:
        if (target.kind !== 'error' && !isDyn(target)) this.#complain(id, noFieldSelection(target, this.#declarations.naming));
        return DYN;
    }
  }

  #declaredField({ fields, anyField }: ObjectType, field: string): CelType | undefined {
    if (anyField) return DYN;
    const found = fields?.get(field);
    if (found !== undefined || !this.#declarations.keywordFields || !RESERVED_WORDS.has(field)) return found;
    return fields?.get(`__${field}__`);
  }

  #checkCall(node: CallExpr): Expr {
    if (node.function === OPERATOR.optionalSelect) return this.#checkOptionalSelect(node);
    const args = this.#checkAll(node.args);
    if (node.target === undefined) {
      const declared = this.#declarations.function(node.function);
      const call: CallExpr = { ...node, function: declared?.name ?? node.function, args };
      return declared === undefined ? this.#undeclared(call) : this.#resolve(call, declared);
    }
    const prefix = node.target.kind === 'select' || node.target.kind === 'ident' ? qualifiedName(node.target) : undefined;
    const namespaced = prefix === undefined ? undefined : this.#declarations.function(`${prefix.join('.')}.${node.function}`);
    if (namespaced !== undefined) return this.#resolve({ ...node, function: namespaced.name, target: undefined, args }, namespaced);
    if (prefix !== undefined && this.#complainOfDotted(node, node.target, prefix, node.function))
      return this.#typed({ ...node, args }, ERROR_TYPE);
    const call: CallExpr = { ...node, target: this.#check(node.target), args };
    const declared = this.#declarations.function(node.function);
    return declared === undefined ? this.#undeclared(call) : this.#resolve(call, declared);
  }

  #checkAll(nodes: readonly Expr[]): Expr[] {
    return nodes.map((node) => this.#check(node));
  }

  #undeclared(call: CallExpr): Expr {
    this.#complain(call.id, this.#undeclaredText(call.function));
    return this.#typed(call, ERROR_TYPE);
  }

  #checkOptionalSelect(node: CallExpr): Expr {
    const [unchecked, name] = node.args;
    const field = name!.kind === 'constant' && name!.constant.type === 'string' ? name!.constant.value : '';
    const { operand, type } = this.#checkField(node.id, unchecked!, field, 'optionalSelect');
    const overloads = this.#declarations.function(OPERATOR.optionalSelect)?.overloads.map(({ overload }) => overload) ?? [];
    this.#references.set(node.id, { name: '', overloads });
    return this.#typed({ ...node, args: [operand, name!] }, this.#substitution.apply(type));
  }

  #resolve(call: CallExpr, declared: DeclaredFunction): Expr {
    const operands = call.target === undefined ? call.args : [call.target, ...call.args];
    const types = operands.map((operand) => this.#typeOf(operand));
    const logical = declared.name === OPERATOR.and || declared.name === OPERATOR.or;
    const found = logical ? this.#resolveLogical(declared, operands, types) : this.#resolveOverloads(declared, call, types);
    if (found !== undefined) this.#references.set(call.id, { name: '', overloads: found.overloads });
    return this.#typed(call, found?.type ?? ERROR_TYPE);
  }

  #resolveLogical(
    declared: DeclaredFunction,
    operands: readonly Expr[],
    types: readonly CelType[],
  ): { type: CelType; overloads: Overload[] } | undefined {
    let sound = true;
    for (const [i, operand] of operands.entries()) {
      if (this.#substitution.assign(types[i]!, BOOL)) continue;
      this.#complain(operand.id, typeMismatch(BOOL, types[i]!, this.#declarations.naming));
      sound = false;
    }
    return sound ? { type: BOOL, overloads: declared.overloads.slice(0, 1).map(({ overload }) => overload) } : undefined;
  }

  #resolveOverloads(
    declared: DeclaredFunction,
    call: CallExpr,
    types: readonly CelType[],
  ): { type: CelType; overloads: Overload[] } | undefined {
    const style = call.target === undefined ? 'function' : 'method';
    const overloads: Overload[] = [];
    let type: CelType | undefined;
    for (const { overload, parameterNames } of declared.overloads) {
      if (overload.style !== style) continue;
      const fresh = this.#freshParameters(parameterNames);
      const instantiate = (of: CelType): CelType =>
        fresh === undefined
          ? of
          : replaceParameters(of, (parameter) => (parameter.kind === 'typeParameter' ? fresh.get(parameter.name) : undefined));
      if (!this.#substitution.assignAll(types, overload.parameters.map(instantiate))) continue;
      overloads.push(overload);
      const result = this.#substitution.apply(instantiate(overload.result));
      if (type === undefined) type = result;
      else if (!isDyn(type) && !isExactType(result, type)) type = DYN;
    }
    if (type !== undefined) return { type, overloads };
    const resolved = types.map((argument) => this.#substitution.resolve(argument));
    this.#complain(call.id, noMatchingOverload(declared.name, resolved, style === 'method', this.#declarations.naming));
    return undefined;
  }

  #freshParameters(names: readonly string[]): ReadonlyMap<string, CelType> | undefined {
    return names.length === 0 ? undefined : new Map(names.map((name) => [name, this.#freeParameter()]));
  }

  #freeParameter(): CelType {
    return typeParameter(`_var${this.#freeParameters++}`);
  }

  #checkList(node: ListExpr): Expr {
    const elements: Expr[] = [];
    let type: CelType | undefined;
    for (const [i, unchecked] of node.elements.entries()) {
      const element = this.#check(unchecked);
      elements.push(element);
      const own = this.#typeOf(element);
      type = this.#join(type, node.optionalIndices.includes(i) ? this.#unwrapOptional(element, own) : own);
    }
    return this.#typed({ ...node, elements }, listOf(type ?? this.#freeParameter()));
  }

  #checkMap(node: MapExpr): Expr {
    let keyType: CelType | undefined;
    let valueType: CelType | undefined;
    const entries = node.entries.map((entry) => {
      const key = this.#check(entry.key);
      keyType = this.#join(keyType, this.#typeOf(key));
      const value = this.#check(entry.value);
      const own = this.#typeOf(value);
      valueType = this.#join(valueType, entry.optional ? this.#unwrapOptional(value, own) : own);
      return { ...entry, key, value };
    });
    return this.#typed({ ...node, entries }, mapOf(keyType ?? this.#freeParameter(), valueType ?? this.#freeParameter()));
  }

  /** Returns the type of the value in an optional. Reports an error if the type of an entry with `?` is not an optional. */
  #unwrapOptional(node: Expr, type: CelType): CelType {
    if (type.kind === 'optional') return type.value;
    if (!isDyn(type)) this.#complain(node.id, typeMismatch(optionalOf(type), type, this.#declarations.naming));
    return type;
  }

  /**
   * Returns the common type of the next entry of a literal and all entries before it. If the types differ, the result is `dyn`, and a
   * validator reports an error later.
   */
  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    return this.#substitution.assign(previous, current) ? this.#substitution.mostGeneral(previous, current) : DYN;
  }

  #checkStruct(node: StructExpr): Expr {
    const name = node.typeName.replace(/^\./, '');
    const message = this.#declarations.message(name);
    return message === undefined ? this.#refuseStruct(node, name) : this.#checkMessage({ ...node, typeName: name }, message);
  }

  #checkMessage(node: StructExpr, { type: message, valueType = message }: NonNullable<ReturnType<Declarations['message']>>): Expr {
    this.#references.set(node.id, { name: node.typeName, overloads: [] });
    this.#typed(node, valueType);
    const fields = node.fields.map((field) => {
      const value = this.#check(field.value);
      const own = this.#typeOf(value);
      const type = field.optional ? this.#unwrapOptional(value, own) : own;
      const expected = message.anyField ? DYN : message.fields?.get(field.name);
      // If a protobuf type lacks the field, the error is about an undefined field. If a type of mutations lacks it, Kubernetes reports a
      // type mismatch instead.
      if (expected === undefined && valueType !== message) this.#complain(field.id, undefinedField(field.name));
      else if (expected === undefined || !this.#substitution.assign(expected, type)) {
        this.#complain(field.id, fieldTypeMismatch(field.name, expected, type, this.#declarations.naming));
      }
      return { ...field, value };
    });
    return { ...node, fields };
  }

  /** Reports an error for a literal `Name{…}` whose type is unknown or has no literals. */
  #refuseStruct(node: StructExpr, name: string): Expr {
    const known = this.#declarations.variable(name)?.kind === 'type';
    this.#typed(node, ERROR_TYPE);
    this.#complain(node.id, known ? notAMessageType(name) : this.#undeclaredText(node.typeName));
    if (known) for (const field of node.fields) this.#check(field.value);
    return node;
  }

  #checkComprehension(node: ComprehensionExpr): Expr {
    const iterRange = this.#check(node.iterRange);
    const accuInit = this.#check(node.accuInit);
    const accumulated = this.#typeOf(accuInit);
    const outer = this.#scope;
    const [type, type2] = this.#iterationTypes(iterRange, node.iterVar2 !== undefined);
    const folding = new VariableScope(outer, new Map([[node.accuVar, accumulated]]));
    const variables = new Map([[node.iterVar, type]]);
    if (node.iterVar2 !== undefined) variables.set(node.iterVar2, type2);
    this.#scope = new VariableScope(folding, variables);
    const loopCondition = this.#check(node.loopCondition);
    this.#assertType(loopCondition, BOOL);
    const loopStep = this.#check(node.loopStep);
    this.#assertType(loopStep, accumulated);
    this.#scope = folding;
    const result = this.#check(node.result);
    this.#scope = outer;
    return this.#typed({ ...node, iterRange, accuInit, loopCondition, loopStep, result }, this.#substitution.apply(this.#typeOf(result)));
  }

  /** Returns the types of a comprehension's iteration variables. If `two` is false, only the first type is meaningful. */
  #iterationTypes(range: Expr, two: boolean): readonly [CelType, CelType] {
    const type = this.#substitution.apply(this.#typeOf(range));
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types are no ranges
    switch (type.kind) {
      case 'list':
        return two ? [INT, type.element] : [type.element, DYN];
      case 'map':
        return [type.key, type.value];
      case 'dyn':
      case 'any':
      case 'error':
      case 'typeParameter':
        this.#substitution.assign(DYN, type);
        return [DYN, DYN];
      default:
        this.#complain(range.id, notARange(type, this.#declarations.naming));
        return [ERROR_TYPE, ERROR_TYPE];
    }
  }

  #assertType(node: Expr, expected: CelType): void {
    const actual = this.#typeOf(node);
    if (!this.#substitution.assign(expected, actual)) this.#complain(node.id, typeMismatch(expected, actual, this.#declarations.naming));
  }
}

/**
 * Returns the parts of a qualified name `a.b.c`. Returns undefined if the innermost operand is not a name, or if a part is a presence test.
 */
function qualifiedName(node: SelectExpr | IdentExpr): readonly string[] | undefined {
  if (node.kind === 'ident') return [node.name];
  if (node.testOnly || (node.operand.kind !== 'select' && node.operand.kind !== 'ident')) return undefined;
  const prefix = qualifiedName(node.operand);
  return prefix === undefined ? undefined : [...prefix, node.field];
}
