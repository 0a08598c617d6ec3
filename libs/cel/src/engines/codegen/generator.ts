import { chargeable } from '../../library/code/units.ts';
import { boxed } from './boxing.ts';
import type { CodeSite } from '../../library/code/site.ts';
import type { Units } from '../../library/code/units.ts';
import type { CostVersion } from '../../library/define.ts';
import { Constants } from './constants.ts';
import { CodeWriter } from './code-writer.ts';
import type { Scope } from './code-writer.ts';
import { js, Names } from '../../library/code/javascript.ts';
import type { CheckedExpression } from '../../language/check/checked.ts';
import type { Environment } from '../../language/environment.ts';
import type { Expr } from '../../language/syntax/ast.ts';
import type { ValueSchema } from '../../values/schema/value-schema.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Fragment, NameRole } from '../../library/code/javascript.ts';
import { BOOL_SHAPE } from '../../library/code/shape.ts';
import type { Operand } from '../../library/code/shape.ts';

/** Lines after which the code is too long in any case: parts of an expression may be written more than once. */
const MAX_LINES = 3_000;

/** Why long code is not used. */
export const TOO_LONG = 'too long for the optimiser';

/** Facts about the data that generated code will read. */
export interface KnownData {
  /** Schemas of the lists that are in columns. The code gives up if a list is not in a column. */
  readonly columns: ReadonlySet<ValueSchema>;
  /**
   * True if the data is valid under its schema: types, required fields and defaults are right, and null is only where
   * it is allowed. An integer may be written as a float. Also, no text has a character of two UTF-16 units.
   */
  readonly isValid: boolean;
}

/** Returns an operand whose value has been put into a variable. */
export const moved = ({ shape, unproven, isPlain }: Operand, code: Fragment): Operand => ({ code, shape, unproven, isPlain });

const giveError = (error: Fragment): Fragment => js`run.cost = cost; return ${error};`;

/** The variable of a rule that holds its value. */
export const SELF = js`self`;

/** Gives where the value of a name is, after writing what computes it. */
export type Reading = () => Operand;

/** Readers of the values in scope, by name. */
export type NamesInScope = ReadonlyMap<string, Reading>;

/** The state that the parts of the generator share for one expression. */
export class Generator implements CodeSite {
  readonly checked: CheckedExpression;
  readonly environment: Environment;
  /** Schemas of the lists that are in columns. */
  readonly columns: ReadonlySet<ValueSchema>;
  /** True if data is known to be valid. See {@link KnownData}. */
  readonly isValid: boolean;
  readonly names = new Names();
  readonly constants = new Constants(this.names);
  readonly writer: CodeWriter;
  /** Readers of the names in scope, the innermost for each name. */
  private variables: NamesInScope = new Map();
  /** Why the expression cannot be generated; the first reason counts. */
  obstacle: string | undefined;
  /** True when loops or calls are in the code, so that it must look at the cancellation token. */
  runsLong = false;
  /** Parameters that hold fields of `self`, by name; in valid data only. */
  readonly fieldsOfSelf = new Map<string, Fragment>();
  /** Fields that were read, by their code, and where what was read holds. */
  private readonly fieldsRead = new Map<string, readonly { readonly code: Fragment; readonly scope: Scope }[]>();
  /** The block of the function itself. */
  private readonly top: Scope;
  private readonly generate: (generator: Generator, node: Expr) => Operand;

  constructor(
    { checked, environment, columns, isValid }: Pick<Generator, 'checked' | 'environment'> & KnownData,
    generate: (generator: Generator, node: Expr) => Operand,
    leave: (error: Fragment) => Fragment = giveError,
  ) {
    this.checked = checked;
    this.environment = environment;
    this.columns = columns;
    this.isValid = isValid;
    this.generate = generate;
    this.writer = new CodeWriter(leave);
    this.top = this.writer.scope;
  }

  /** Writes the code of a node, charging what it costs, and gives where its value is. */
  emit(node: Expr): Operand {
    if (this.obstacle !== undefined || this.writer.written > MAX_LINES) return this.giveUp(TOO_LONG);
    return this.generate(this, node);
  }

  /** The code of a node that has to be a boolean; a value that is none is the interpreter's business. */
  emitTest(node: Expr): Operand {
    const operand = this.emit(node);
    if (operand.shape.kind === 'bool') return operand;
    this.writer.bail(js`typeof ${operand.code} !== "boolean"`);
    return { code: operand.code, shape: BOOL_SHAPE };
  }

  typeOf(node: Expr): CelType {
    return this.checked.types.get(node.id) ?? { kind: 'dyn' };
  }

  /** Notes that a feature has no code. All further code is discarded. */
  giveUp(reason: string): Operand {
    this.obstacle ??= reason;
    return { code: js`undefined`, shape: { kind: 'bool' } };
  }

  get costs(): CostVersion {
    return this.environment.costs;
  }

  boxed(operand: Operand): Fragment {
    return boxed(this, operand);
  }

  /** Charges what is known now at once, and the rest where the code runs. */
  pay(units: Units): void {
    const due = chargeable(this, units);
    if (typeof due === 'number') this.writer.charge(due);
    else this.writer.line(js`cost += ${due};`);
  }

  /**
   * Emits a read of an object's field. In valid data it reuses a field that was read before, and fields of `self` are
   * parameters.
   */
  readField(object: Fragment, name: string): Fragment {
    const read = js`${object}[${this.constants.name(name)}]`;
    if (!this.isValid) return this.hold('found', read);
    const known = this.fieldsRead.get(read.source)?.find(({ scope }) => this.writer.isWithin(scope));
    if (known !== undefined) return known.code;
    const isOfSelf = object.source === SELF.source;
    const code = isOfSelf ? this.names.fresh('found') : this.hold('found', read);
    if (isOfSelf) this.fieldsOfSelf.set(name, code);
    this.fieldsRead.set(read.source, [
      ...(this.fieldsRead.get(read.source) ?? []),
      { code, scope: isOfSelf ? this.top : this.writer.scope },
    ]);
    return code;
  }

  /** Declares a constant local variable for an expression. */
  hold(role: NameRole, expression: Fragment): Fragment {
    const name = this.names.fresh(role);
    this.writer.line(js`const ${name} = ${expression};`);
    return name;
  }

  /** Declares a local variable that changes. */
  declare(role: NameRole, initial: Fragment): Fragment {
    const name = this.names.fresh(role);
    this.writer.line(js`let ${name} = ${initial};`);
    return name;
  }

  /** Writes the code of an operand whose failure does not end everything; `error` names the variable that holds it, if it can fail at all. */
  attempt(write: () => Operand): { readonly operand: Operand; readonly error: Fragment | undefined } {
    const label = this.names.fresh('Failed');
    const error = this.names.fresh('error');
    const out = this.names.fresh('out');
    let operand!: Operand;
    const fallible = this.writer.catching(label, error, out, () => {
      operand = write();
      return operand.code;
    });
    return fallible ? { operand: moved(operand, out), error } : { operand, error: undefined };
  }

  /** Reads a name; undefined when it is not in scope. */
  read(name: string): Operand | undefined {
    return this.variables.get(name)?.();
  }

  isInScope(name: string): boolean {
    return this.variables.has(name);
  }

  /** Runs with names bound to operands. */
  within<T>(bindings: readonly (readonly [name: string, reading: Reading])[], write: () => T): T {
    return this.inScope(new Map([...this.variables, ...bindings]), write);
  }

  namesInScope(): NamesInScope {
    return this.variables;
  }

  /** Runs with the names that were in scope elsewhere. */
  inScope<T>(names: NamesInScope, write: () => T): T {
    const outer = this.variables;
    this.variables = names;
    const result = write();
    this.variables = outer;
    return result;
  }
}
