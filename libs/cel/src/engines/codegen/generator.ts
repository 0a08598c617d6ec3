import { chargeable } from '../../library/code/units.ts';
import { boxed } from './boxing.ts';
import type { CodeSite } from '../../library/code/site.ts';
import type { Units } from '../../library/code/units.ts';
import type { CostVersion } from '../../library/define.ts';
import { Constants, js, Names } from '../../library/code/javascript.ts';
import type { Fragment, NameRole } from '../../library/code/javascript.ts';
import { CodeWriter } from './code-writer.ts';
import type { CodeBlock } from './code-writer.ts';
import type { CheckedExpression } from '../../language/check/checked.ts';
import type { Environment } from '../../language/environment.ts';
import type { Expr } from '../../language/syntax/ast.ts';
import type { ValueSchema } from '../../values/schema/value-schema.ts';
import type { CelType } from '../../values/types/type.ts';
import { BOOL_SHAPE } from '../../library/code/shape.ts';
import type { Operand } from '../../library/code/shape.ts';

/**
 * Number of lines after which the generator stops, because the code is certainly too long. Code can become this long because the generator
 * may write a part of an expression more than once.
 */
const MAX_LINES = 3_000;

/** Reason that is reported if generated code is not used because it is too long. */
export const TOO_LONG = 'too long for the optimiser';

/** Facts about the data that the code generator may assume when it generates code for an expression. */
export interface KnownData {
  /**
   * Schemas of the lists that are stored in columns, which are long lists of scalars that are read in place. The code returns undefined if
   * such a list is not stored in a column.
   */
  readonly columns: ReadonlySet<ValueSchema>;
  /**
   * True if the data is valid under its schema. Types, required fields and defaults are right, and null occurs only where the schema
   * permits it. An integer may be written as a float. Furthermore, no text contains a character of two UTF-16 units.
   */
  readonly isValid: boolean;
}

/**
 * Returns an {@link Operand} with the same facts as the given operand, but with other code. `code` is the variable of generated code in
 * which the operand's value was stored.
 */
export const withCode = ({ shape, unproven, isPlain }: Operand, code: Fragment): Operand => ({ code, shape, unproven, isPlain });

const giveError = (error: Fragment): Fragment => js`run.cost = cost; return ${error};`;

/** Variable of generated code that holds the value of `self`. */
export const SELF_VARIABLE = js`self`;

/**
 * Function that emits code that reads the value of one name, such as `self`. Returns the operand, which contains the code of this value.
 */
export type EmitRead = () => Operand;

/** Functions that emit code for the values of the names in scope. The key is the name. */
export type NamesInScope = ReadonlyMap<string, EmitRead>;

/** Operand whose failure does not end the code. `error` is the variable that holds the error. It is undefined if the operand cannot fail. */
export interface CaughtOperand {
  readonly operand: Operand;
  readonly error: Fragment | undefined;
}

/** State of code generation for one expression, shared by all parts of the generator. */
export class Generator implements CodeSite {
  readonly checked: CheckedExpression;
  readonly environment: Environment;
  /** Schemas of the lists that are stored in columns, which are long lists of scalars that are read in place. */
  readonly columns: ReadonlySet<ValueSchema>;
  /** True if data is known to be valid. See {@link KnownData}. */
  readonly isValid: boolean;
  readonly names = new Names();
  readonly constants = new Constants(this.names);
  readonly writer: CodeWriter;
  /**
   * Functions that read the values of the names in scope. If a name is declared more than once, the function for its innermost declaration
   * is used.
   */
  #variables: NamesInScope = new Map();
  /** First reason why no code can be generated for the expression. Undefined if code can be generated. */
  obstacle: string | undefined;
  /** True if the code contains loops or calls. Such code must check the cancellation token. */
  runsLong = false;
  /**
   * Parameters of the generated function that contain fields of `self`, by field name. The function has such parameters only if the data is
   * known to be valid.
   */
  readonly fieldsOfSelf = new Map<string, Fragment>();
  /**
   * Variables of the generated code that contain fields that were read earlier, with the blocks in which the variables are available. The
   * key is the code that reads the field.
   */
  readonly #fieldsRead = new Map<string, readonly { readonly code: Fragment; readonly scope: CodeBlock }[]>();
  /** The outermost block, which is the body of the function. */
  readonly #top: CodeBlock;
  readonly #generate: (generator: Generator, node: Expr) => Operand;

  constructor(
    { checked, environment, columns, isValid }: Pick<Generator, 'checked' | 'environment'> & KnownData,
    generate: (generator: Generator, node: Expr) => Operand,
    leave: (error: Fragment) => Fragment = giveError,
  ) {
    this.checked = checked;
    this.environment = environment;
    this.columns = columns;
    this.isValid = isValid;
    this.#generate = generate;
    this.writer = new CodeWriter(leave);
    this.#top = this.writer.scope;
  }

  /** Emits the code of a node, including its cost. Returns the operand, which is the code of the node's computed value. */
  emit(node: Expr): Operand {
    if (this.obstacle !== undefined || this.writer.written > MAX_LINES) return this.giveUp(TOO_LONG);
    return this.#generate(this, node);
  }

  /**
   * Emits the code of a node whose value must be a boolean. For any other value, the code returns undefined, and the interpreter evaluates
   * the expression.
   */
  emitTest(node: Expr): Operand {
    const operand = this.emit(node);
    if (operand.shape.kind === 'bool') return operand;
    this.writer.bail(js`typeof ${operand.code} !== "boolean"`);
    return { code: operand.code, shape: BOOL_SHAPE };
  }

  typeOf(node: Expr): CelType {
    return this.checked.types.get(node.id) ?? { kind: 'dyn' };
  }

  /** Records a feature of the expression that generated code does not support. All code of the expression is then discarded. */
  giveUp(reason: string): Operand {
    this.obstacle ??= reason;
    return { code: js`undefined`, shape: { kind: 'bool' } };
  }

  get costs(): CostVersion {
    return this.environment.costs;
  }

  /** True if a failed argument or element ends a call or a literal before it is charged, see `Semantics`. */
  get failuresEndCalls(): boolean {
    return this.environment.semantics.failuresEndCalls;
  }

  boxed(operand: Operand): Fragment {
    return boxed(this, operand);
  }

  /**
   * Charges cost units. A number that is known at generation time is added to the writer's count. For any other number, emits code that
   * adds it.
   */
  pay(units: Units): void {
    const due = chargeable(this, units);
    if (typeof due === 'number') this.writer.charge(due);
    else this.writer.line(js`cost += ${due};`);
  }

  /**
   * Emits a read of an object's field. If the data is known to be valid, reuses a variable that already contains the field, and reads
   * fields of `self` from parameters.
   */
  readField(object: Fragment, name: string): Fragment {
    const read = js`${object}[${this.constants.name(name)}]`;
    if (!this.isValid) return this.hold('found', read);
    const known = this.#fieldsRead.get(read.source)?.find(({ scope }) => this.writer.isWithin(scope));
    if (known !== undefined) return known.code;
    const isOfSelf = object.source === SELF_VARIABLE.source;
    const code = isOfSelf ? this.names.fresh('found') : this.hold('found', read);
    if (isOfSelf) this.fieldsOfSelf.set(name, code);
    this.#fieldsRead.set(read.source, [
      ...(this.#fieldsRead.get(read.source) ?? []),
      { code, scope: isOfSelf ? this.#top : this.writer.scope },
    ]);
    return code;
  }

  /** Emits a constant local variable to which the value of an expression is assigned. Returns the name of the variable. */
  hold(role: NameRole, expression: Fragment): Fragment {
    const name = this.names.fresh(role);
    this.writer.line(js`const ${name} = ${expression};`);
    return name;
  }

  /** Emits a local variable whose value can change. Returns the name of the variable. */
  declare(role: NameRole, initial: Fragment): Fragment {
    const name = this.names.fresh(role);
    this.writer.line(js`let ${name} = ${initial};`);
    return name;
  }

  /**
   * Emits the code of an operand whose failure must not end the evaluation. The returned `error` is the name of the variable that contains
   * the error. It is undefined if the code cannot fail.
   */
  attempt(write: () => Operand): CaughtOperand {
    const label = this.names.fresh('Failed');
    const error = this.names.fresh('error');
    const out = this.names.fresh('out');
    let operand!: Operand;
    const fallible = this.writer.catching(label, error, out, () => {
      operand = write();
      return operand.code;
    });
    return fallible ? { operand: withCode(operand, out), error } : { operand, error: undefined };
  }

  /** Emits a read of a name. Returns undefined if the name is not in scope. */
  read(name: string): Operand | undefined {
    return this.#variables.get(name)?.();
  }

  isInScope(name: string): boolean {
    return this.#variables.has(name);
  }

  /** Runs `write` with additional names in scope. */
  within<T>(bindings: readonly (readonly [name: string, reading: EmitRead])[], write: () => T): T {
    return this.inScope(new Map([...this.#variables, ...bindings]), write);
  }

  namesInScope(): NamesInScope {
    return this.#variables;
  }

  /** Runs `write` with only `names` in scope. These are names that were in scope at another position of the expression. */
  inScope<T>(names: NamesInScope, write: () => T): T {
    const outer = this.#variables;
    this.#variables = names;
    const result = write();
    this.#variables = outer;
    return result;
  }
}
