import { Cancelled } from '#go';
import type { CancellationToken } from '#go';
import { BOOL, compileProgram, DYN, environmentFor, mutationEnvironmentFor, NULL, STRING, typeText } from '#cel';
import type { CelType, Compiled, CompileMessages, EngineChoice, ExpressionUse, Environment } from '#cel';
import type { Minor } from '#kube';
import { policyHas } from '../minors.ts';
import { declaredVariables, variableType } from './declared-variables.ts';
import type { NamedExpression } from '../read/policy.ts';
import type { VariableChoice } from './declared-variables.ts';

/**
 * Part of a policy that contains an expression. It determines which variables the expression can use and which type the expression must
 * have.
 */
export type PolicyExpressionPart =
  | 'variable'
  | 'matchCondition'
  | 'validation'
  | 'messageExpression'
  | 'auditAnnotation'
  | 'mutation'
  | 'expression';

/** Expression of a policy, with its program or its compile error. */
export interface PolicyExpression {
  readonly part: PolicyExpressionPart;
  /** Index of the expression in the policy's list that contains it, for example `variables` or `validations`. */
  readonly index: number;
  /** Name of the variable or match condition, or key of the audit annotation. Undefined for expressions in other parts. */
  readonly name: string | undefined;
  readonly text: string;
  readonly compiled: Compiled;
  /** Type of the expression's value, in the notation of the Kubernetes minor version. Undefined if the expression does not compile. */
  readonly typeText: string | undefined;
}

/** Expressions that are evaluated together and share one cost budget. */
export interface ExpressionList {
  /** Expressions of the list. An element is undefined if there is no expression, for example for a validation without messageExpression. */
  readonly expressions: readonly (PolicyExpression | undefined)[];
  /** Variables of the policy that the expressions can use. */
  readonly variables: readonly PolicyExpression[];
  /** Names of all variables that the expressions mention, directly or through the policy's variables. Only these variables need a value. */
  readonly mentioned: ReadonlySet<string>;
}

/**
 * Creates a list of expressions that are evaluated together and share one cost budget. `variables` are the policy's variables that the
 * expressions can use. In the result, `mentioned` has the variables that they need, directly or through the policy's variables. If no
 * expression uses `variables`, the list is stored without them.
 */
export function expressionList(expressions: ExpressionList['expressions'], variables: readonly PolicyExpression[]): ExpressionList {
  const mentioned = namesIn(expressions);
  if (!mentioned.has('variables')) return { expressions, variables: [], mentioned };
  return { expressions, variables, mentioned: new Set([...mentioned, ...namesIn(variables)]) };
}

function namesIn(expressions: ExpressionList['expressions']): ReadonlySet<string> {
  const names = new Set<string>();
  for (const expression of expressions) {
    if (expression?.compiled.ok !== true) continue;
    for (const { name } of expression.compiled.checked.references.values()) names.add(name.replace(/^\./, ''));
  }
  return names;
}

/**
 * Types that are allowed for the value of an expression, by the part of the policy that contains the expression. Undefined if every type is
 * allowed.
 */
const RESULTS: Readonly<Record<PolicyExpressionPart, readonly CelType[] | undefined>> = {
  variable: undefined,
  matchCondition: [BOOL],
  validation: [BOOL],
  messageExpression: [STRING],
  auditAnnotation: [STRING, NULL],
  mutation: undefined,
  expression: undefined,
};

/**
 * Returns the wording of the API server's compile errors. Source: k8s.io/apiserver/pkg/admission/plugin/cel/compile.go
 * `CompileCELExpression` (1.37).
 */
function wordsFor(results: readonly CelType[] | undefined, minor: Minor): CompileMessages {
  const wanted = (results ?? []).map((type) => typeText(type));
  const types = wanted.length === 1 ? wanted[0] : `one of [${wanted.join(' ')}]`;
  return {
    compile: 'compilation failed: ',
    program: 'program instantiation failed: ',
    resultType: (found) => `must evaluate to ${types}${policyHas(minor, 'foundTypesAreShown') ? ` but got ${found}` : ''}`,
  };
}

/** The options for compiling the expressions of a policy. */
export interface CompilerOptions {
  readonly minor: Minor;
  readonly use: ExpressionUse;
  readonly engine: EngineChoice | undefined;
  /** True if the policy has a paramKind. */
  readonly hasParams: boolean;
  /** True if `variables` is declared. Policies declare it, but webhooks do not. */
  readonly hasVariables: boolean;
  readonly token?: CancellationToken | undefined;
}

/**
 * Compiler for the expressions of one policy. Variables must be compiled first, because later expressions use their names and types. If the
 * token requests cancellation, throws {@link Cancelled} before it compiles the next expression.
 */
export class ExpressionCompiler {
  readonly #environment: Environment;
  readonly #use: ExpressionUse;
  readonly #engine: EngineChoice | undefined;
  readonly #params: boolean;
  readonly #token: CancellationToken | undefined;
  readonly #types: Map<string, CelType> | undefined;
  readonly #variables: PolicyExpression[] = [];

  constructor({ minor, use, engine, hasParams, hasVariables, token }: CompilerOptions) {
    this.#token = token;
    this.#environment = environmentFor(minor, use, policyHas(minor, 'costsAreStrict') ? 'kubernetes' : 'core');
    this.#use = use;
    this.#engine = engine;
    this.#params = hasParams;
    this.#types = hasVariables ? new Map() : undefined;
  }

  /** Variables that this compiler has compiled so far. */
  get variables(): readonly PolicyExpression[] {
    return this.#variables;
  }

  /** Compiles a variable and declares it for all later expressions. A variable that does not compile is declared with the type dyn. */
  variable({ name, expression }: NamedExpression): PolicyExpression {
    const variable = this.compile('variable', expression, this.#variables.length, name);
    this.#variables.push(variable);
    this.#types?.set(name, variable.compiled.ok ? variableType(variable.compiled.outputType) : DYN);
    return variable;
  }

  compile(part: PolicyExpressionPart, text: string, index: number, name?: string): PolicyExpression {
    return this.#compile({ part, text, index, name }, this.#environment, RESULTS[part]);
  }

  /**
   * Compiles an expression that may create objects and JSON patches. The type of the expression must be in `results`, unless `results` is
   * undefined.
   */
  mutation(part: PolicyExpressionPart, text: string, index: number, results: readonly CelType[] | undefined): PolicyExpression {
    return this.#compile({ part, text, index, name: undefined }, mutationEnvironmentFor(this.#environment.minor, this.#use), results);
  }

  #compile(
    { part, text, index, name }: Pick<PolicyExpression, 'part' | 'text' | 'index' | 'name'>,
    environment: Environment,
    results: readonly CelType[] | undefined,
  ): PolicyExpression {
    if (this.#token?.cancelled === true) throw new Cancelled();
    const choice: VariableChoice = {
      params: this.#params,
      authorizer: part !== 'messageExpression',
      variables: this.#types && new Map(this.#types),
    };
    const compiled = compileProgram(text, {
      variables: declaredVariables(choice),
      environment,
      results,
      messages: wordsFor(results, environment.minor),
      engine: this.#engine,
    });
    const type = compiled.ok ? typeText(compiled.outputType, environment.semantics) : undefined;
    return { part, index, name, text, compiled, typeText: type };
  }
}
