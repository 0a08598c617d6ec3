import { AUTHORIZER, celTypeOf, compileProgram, declareType, DYN, environmentFor } from '#cel';
import type { CelType, Compiled, UndefinedField, ValueSchema } from '#cel';
import { nearestName, compareBytes } from '#go';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import { declaredVariables, variableType } from '../expressions/declared-variables.ts';
import { policyHas } from '../minors.ts';
import { splitApiVersion } from '../params.ts';
import { Unreadable } from '../read/fields.ts';
import { readValidatingPolicy } from '../read/policy.ts';
import type { ValidatingPolicy } from '../read/policy.ts';
import { kindText } from '../request/kinds.ts';
import type { GroupVersionKind, Kinds } from '../request/kinds.ts';
import type { ResourceRule } from '../read/match-resources.ts';

/** Maximum number of kinds of one rule that are checked. If a rule reaches this number, the rules after it are skipped. */
const MAX_KINDS = 10;

const withoutWildcards = (names: readonly string[]): readonly string[] =>
  names.some((name) => name.includes('*')) ? [] : [...names].sort(compareBytes);

/**
 * Returns the kinds that a policy's rules name, sorted by group, version and kind. Names with wildcards and subresources are ignored.
 * Source: k8s.io/apiserver/pkg/admission/plugin/policy/validating/typechecking.go `typesToCheck` (1.37).
 */
function kindsToCheck(rules: readonly ResourceRule[], kinds: Kinds): readonly GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  for (const rule of rules) {
    const named = kindsOfRule(rule, kinds).slice(0, MAX_KINDS);
    for (const kind of named) found.set(kindText(kind), kind);
    if (named.length === MAX_KINDS) break;
  }
  return [...found.values()].sort(
    (a, b) => compareBytes(a.group, b.group) || compareBytes(a.version, b.version) || compareBytes(a.kind, b.kind),
  );
}

function kindsOfRule({ apiGroups, apiVersions, resources }: ResourceRule, kinds: Kinds): GroupVersionKind[] {
  const names = resources.filter((resource) => !/[*/]/.test(resource)).sort(compareBytes);
  return withoutWildcards(apiGroups).flatMap((group) =>
    withoutWildcards(apiVersions).flatMap((version) => names.flatMap((resource) => kinds.named(group, version, resource))),
  );
}

/** Warning about the type errors of an expression for the kinds that the policy's rules name. */
export interface ExpressionWarning {
  /** Field path of the expression, for example `spec.validations[0].expression`. */
  readonly fieldRef: string;
  /** Text of the warning, with one paragraph for each kind that has errors. */
  readonly warning: string;
  /** Number of kinds for which the expression was checked. */
  readonly kinds: number;
  /** Declared fields that the expression probably means. Empty if there are no undefined fields, or if no declared name is similar. */
  readonly suggestions: readonly FieldSuggestion[];
}

/** Name of a declared field that an undefined field probably means. */
export interface FieldSuggestion {
  readonly field: string;
  readonly name: string;
}

/** Maximum number of undefined fields of an expression for which a similar name is searched. */
const MAX_SEARCHED = 10;

/** Result of type-checking a policy: the content of `status.typeChecking`, and the kinds for which the policy was checked. */
export interface TypeChecking {
  readonly warnings: readonly ExpressionWarning[];
  /** Kinds with a schema, including the kind of the parameters. */
  readonly checked: readonly GroupVersionKind[];
  /** Kinds that have no schema. Expressions are not checked for these kinds. */
  readonly unresolved: readonly GroupVersionKind[];
}

/** Properties of a server that type checking uses. */
export interface TypeCheckingServer {
  readonly minor: Minor;
  readonly kinds: Kinds;
  /** Returns the published schema of a kind. Returns undefined if the server publishes no schema for it. */
  readonly schemaOf: (kind: GroupVersionKind) => ValueSchema | undefined;
}

/**
 * Type-checks the validations and message expressions of a policy against the schemas of the kinds that its rules name. The controller
 * manager performs the same check for `status.typeChecking`. Source:
 * k8s.io/apiserver/pkg/admission/plugin/policy/validating/typechecking.go (1.37).
 */
export function checkTypes(policy: ValidatingPolicy, server: TypeCheckingServer): TypeChecking {
  const checker = new TypeChecker(policy, server);
  const warnings = policy.validations.flatMap(({ expression, messageExpression }, i) => [
    ...checker.check(`spec.validations[${i}].expression`, expression),
    ...(messageExpression === '' ? [] : checker.check(`spec.validations[${i}].messageExpression`, messageExpression)),
  ]);
  return { warnings, ...checker.kinds() };
}

/**
 * Returns the variables that the expressions of a ValidatingAdmissionPolicy can use, with their types. The types apply to one kind: the
 * first kind in the policy's rules that has a schema. Returns undefined for other documents, or if no kind has a schema.
 */
export function variablesOfPolicy(document: JsonObject, server: TypeCheckingServer): ReadonlyMap<string, CelType> | undefined {
  try {
    return document['kind'] === 'ValidatingAdmissionPolicy' ? new TypeChecker(readValidatingPolicy(document), server).variables : undefined;
  } catch (thrown) {
    if (thrown instanceof Unreadable) return undefined;
    throw thrown;
  }
}

/** Variables and types for checking expressions against one kind. */
interface KindEnvironment {
  readonly kind: GroupVersionKind;
  readonly variables: ReadonlyMap<string, CelType>;
}

class TypeChecker {
  readonly #server: TypeCheckingServer;
  readonly #resolved = new Map<string, { readonly kind: GroupVersionKind; readonly type: CelType | undefined }>();
  readonly #environments: readonly KindEnvironment[];

  constructor(policy: ValidatingPolicy, server: TypeCheckingServer) {
    this.#server = server;
    const kinds = kindsToCheck(policy.matchConstraints?.resourceRules ?? [], server.kinds);
    const types = kinds.map((kind) => this.#typeOf(kind));
    const params = this.#paramsType(policy);
    this.#environments = kinds.flatMap((kind, i) => {
      const object = types[i];
      return object === undefined ? [] : [{ kind, variables: this.#declare(policy, object, params) }];
    });
  }

  /** Variables and their types for the first kind that has a schema; undefined if no kind has a schema. */
  get variables(): ReadonlyMap<string, CelType> | undefined {
    return this.#environments[0]?.variables;
  }

  /**
   * Type-checks one expression for every kind. Returns one warning with the errors of all kinds, or an empty list if there are no errors.
   */
  check(fieldRef: string, text: string): ExpressionWarning[] {
    const paragraphs: string[] = [];
    const unknown: UndefinedField[] = [];
    for (const { kind, variables } of this.#environments) {
      const compiled = this.#compile(text, variables);
      if (compiled.ok || compiled.kind !== 'compile') continue;
      paragraphs.push(`${kindText(kind)}: ${compiled.error}\n`);
      unknown.push(...(compiled.undefinedFields ?? []));
    }
    return paragraphs.length === 0
      ? []
      : [{ fieldRef, warning: paragraphs.join('\n'), kinds: this.#environments.length, suggestions: suggestionsFor(unknown) }];
  }

  kinds(): Pick<TypeChecking, 'checked' | 'unresolved'> {
    const all = [...this.#resolved.values()];
    return {
      checked: all.filter(({ type }) => type !== undefined).map(({ kind }) => kind),
      unresolved: all.filter(({ type }) => type === undefined).map(({ kind }) => kind),
    };
  }

  /**
   * Returns the variables that expressions can use, with their types. `object` and `params` are the types of the object and its parameters
   * for one kind.
   */
  #declare({ variables, paramKind }: ValidatingPolicy, object: CelType, params: CelType | undefined): ReadonlyMap<string, CelType> {
    const hasParams = policyHas(this.#server.minor, 'unknownParamsAreDeclared') ? paramKind !== undefined : params !== undefined;
    const own = new Map<string, CelType>();
    const declare = (): Map<string, CelType> => {
      const declared = new Map(declaredVariables({ params: hasParams, authorizer: false, variables: new Map(own) }));
      declared.set('object', object).set('oldObject', object).set('authorizer', AUTHORIZER);
      if (hasParams) declared.set('params', params ?? DYN);
      return declared;
    };
    for (const { name, expression } of variables) {
      const type = typeOf(this.#compile(expression, declare()));
      own.set(name, type === undefined ? DYN : variableType(type));
    }
    return declare();
  }

  #compile(text: string, variables: ReadonlyMap<string, CelType>): Compiled {
    const environment = environmentFor(this.#server.minor, 'stored');
    return compileProgram(text, {
      variables,
      environment,
      results: undefined,
      messages: { compile: '', resultType: () => '', program: '' },
    });
  }

  #paramsType({ paramKind }: ValidatingPolicy): CelType | undefined {
    if (paramKind === undefined) return undefined;
    const [group, version] = splitApiVersion(paramKind.apiVersion);
    return this.#typeOf({ group, version, kind: paramKind.kind });
  }

  #typeOf(kind: GroupVersionKind): CelType | undefined {
    const key = kindText(kind);
    const known = this.#resolved.get(key);
    if (known !== undefined) return known.type;
    const schema = this.#server.schemaOf(kind);
    const declared = schema && declareType(schema, 'resource', this.#server.minor);
    // Kubernetes appends the nanoseconds of its clock to the name of the type. Assay always appends 0.
    const type = declared && celTypeOf(declared, `${kind.kind}0`);
    this.#resolved.set(key, { kind, type });
    return type;
  }
}

/** Returns the declared names that undefined fields probably mean, one for each field. */
function suggestionsFor(unknown: readonly UndefinedField[]): FieldSuggestion[] {
  const found = new Map<string, string>();
  for (const { field, declared } of unknown.slice(0, MAX_SEARCHED)) {
    const name = found.has(field) ? undefined : nearestName(field, declared.keys());
    if (name !== undefined) found.set(field, name);
  }
  return [...found].map(([field, name]) => ({ field, name }));
}

/**
 * Returns the type of an expression that passed the type checker, even if no program could be created for it. Returns undefined for other
 * expressions.
 */
const typeOf = (compiled: Compiled): CelType | undefined => (compiled.ok ? compiled.outputType : compiled.checked?.outputType);
