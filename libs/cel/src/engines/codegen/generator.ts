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

/** What is known, while code is generated, of the data that it will read. */
export interface KnownData {
  /** Schemas of the lists that lie in columns; where one does not, the code gives up. */
  readonly columns: ReadonlySet<ValueSchema>;
  /**
   * Whether data has been found to be what its schema says: of its types (but that an integer may be written as a float), with its required fields and its
   * defaults, and with null only where that is allowed; and whether no text in it holds a character of two UTF-16 units.
   */
  readonly isValid: boolean;
}

/** An operand whose value has been put into a variable. */
export const moved = ({ shape, unproven, isPlain }: Operand, code: Fragment): Operand => ({ code, shape, unproven, isPlain });

const giveError = (error: Fragment): Fragment => js`run.cost = cost; return ${error};`;

/** The variable of a rule that holds its value. */
export const SELF = js`self`;

/** Gives where the value of a name is, after writing what computes it. */
export type Reading = () => Operand;

/** How the value of each name in scope is read, by name. */
export type NamesInScope = ReadonlyMap<string, Reading>;

/** What the parts of the generator share while one expression is turned into code. */
export class Generator implements CodeSite {
  readonly checked: CheckedExpression;
  readonly environment: Environment;
  /** Schemas of the lists that lie in columns. */
  readonly columns: ReadonlySet<ValueSchema>;
  /** Whether data is known to be what its schema says. See {@link KnownData}. */
  readonly isValid: boolean;
  readonly names = new Names();
  readonly constants = new Constants(this.names);
  readonly writer: CodeWriter;
  /** How names in scope are read, the innermost of each. */
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

  /** Notes that something has no code. What is written from here on is never used. */
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

  /** Reads a field of an object. In valid data, one that was read on the way here is not read again, and those of `self` are handed to the code. */
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
