import { goTrim } from '#go';
import { RESERVED_WORDS } from '#cel';
import {
  checkDns1035Label,
  checkDns1123Subdomain,
  checkQualifiedName,
  childPath,
  duplicate,
  indexPath,
  internalError,
  invalid,
  notSupported,
  required,
  tooMany,
} from '#kube';
import { ExpressionCompiler } from '../expressions/compile-expressions.ts';
import { policyHas } from '../minors.ts';
import { validateMatch, wordValue } from './validate-match.ts';
import type { CancellationToken } from '#go';
import type { FieldError, FieldPath, Minor } from '#kube';
import type { PolicyExpression } from '../expressions/compile-expressions.ts';
import type { NamedExpression, ParamKind, PolicyHead } from '../read/policy.ts';

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const MAX_CONDITIONS = 64;
const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;

/**
 * Compilers for the expressions of a written policy. `new` compiles newly written expressions, and `stored` compiles expressions that the
 * stored policy already contained.
 */
export type WriteCompilers = Readonly<Record<'new' | 'stored', ExpressionCompiler>>;

/** Says if expressions can use `variables`. */
type Scope = 'withVariables' | 'withoutVariables';

/** Options for validating the write of a policy. */
export interface PolicyWriteOptions {
  readonly minor: Minor;
  readonly token?: CancellationToken | undefined;
}

/**
 * Validator of one create or update request for a ValidatingAdmissionPolicy or MutatingAdmissionPolicy. It has the checks that both kinds
 * of policies share.
 */
export class HeadWrite<Policy extends PolicyHead> {
  readonly policy: Policy;
  /** Stored policy before the write. Undefined if the policy is created. */
  readonly old: Policy | undefined;
  readonly minor: Minor;
  readonly compilers: WriteCompilers;
  readonly #conditionCompilers: WriteCompilers;

  /** @param scope `withVariables` if expressions other than match conditions can use `variables` */
  constructor(policy: Policy, old: Policy | undefined, { minor, token }: PolicyWriteOptions, scope: Scope) {
    this.policy = policy;
    this.old = old;
    this.minor = minor;
    const compilers = (compiled: Scope): WriteCompilers => {
      const options = {
        minor,
        engine: 'interpreted',
        hasParams: policy.paramKind !== undefined,
        hasVariables: compiled === 'withVariables',
        token,
      } as const;
      return { new: new ExpressionCompiler({ ...options, use: 'new' }), stored: new ExpressionCompiler({ ...options, use: 'stored' }) };
    };
    this.compilers = compilers(scope);
    // Kubernetes compiles match conditions as if no policy had variables.
    this.#conditionCompilers = compilers('withoutVariables');
  }

  failurePolicy(path: FieldPath): FieldError[] {
    const { failurePolicy } = this.policy;
    return FAILURE_POLICIES.includes(failurePolicy)
      ? []
      : [notSupported(childPath(path, 'failurePolicy'), wordValue(failurePolicy, this.minor), FAILURE_POLICIES)];
  }

  paramKind(path: FieldPath): FieldError[] {
    const { paramKind } = this.policy;
    return paramKind === undefined ? [] : validateParamKind(paramKind, childPath(path, 'paramKind'));
  }

  matchConstraints(path: FieldPath): FieldError[] {
    const { matchConstraints } = this.policy;
    const constraints = childPath(path, 'matchConstraints');
    if (matchConstraints === undefined) return [required(constraints, '')];
    const missing = matchConstraints.resourceRules.length === 0 ? [required(childPath(constraints, 'resourceRules'), '')] : [];
    return [...validateMatch(matchConstraints, constraints, this.minor), ...missing];
  }

  /** Returns the errors of the match conditions. If neither the match conditions nor the paramKind changed, nothing is checked. */
  matchConditions(specPath: FieldPath): FieldError[] {
    const path = childPath(specPath, 'matchConditions');
    const { matchConditions, paramKind } = this.policy;
    const { old } = this;
    const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
    if (old !== undefined && same(old.paramKind, paramKind) && same(old.matchConditions, matchConditions)) return [];
    const errors = matchConditions.length > MAX_CONDITIONS ? [tooMany(path, matchConditions.length, MAX_CONDITIONS)] : [];
    const names = new Set<string>();
    for (const [i, { name, expression }] of matchConditions.entries()) {
      const at = indexPath(path, i);
      const text = goTrim(expression);
      const known = old?.matchConditions.some((condition) => condition.expression === text) === true;
      const compiler = this.#conditionCompilers[known ? 'stored' : 'new'];
      if (text === '') errors.push(required(childPath(at, 'expression'), ''));
      else errors.push(...expressionErrors(compiler.compile('matchCondition', text, i), text, childPath(at, 'expression')));
      if (name === '') errors.push(required(childPath(at, 'name'), ''));
      else errors.push(...checkQualifiedName(name).map((problem) => invalid(childPath(at, 'name'), name, problem)));
      if (name !== '' && names.has(name)) errors.push(duplicate(childPath(at, 'name'), name));
      names.add(name);
    }
    return errors;
  }

  /** @param isStored returns true if the stored policy already contained an expression with this text */
  variables(specPath: FieldPath, isStored: (text: string) => boolean): FieldError[] {
    return this.policy.variables.flatMap((variable, i) => {
      const path = indexPath(childPath(specPath, 'variables'), i);
      const errors = this.#variableName(variable, childPath(path, 'name'));
      const { expression } = variable;
      if (goTrim(expression) === '') return [...errors, required(childPath(path, 'expression'), 'expression is not specified')];
      const compiled = { new: this.compilers.new.variable(variable), stored: this.compilers.stored.variable(variable) };
      return [...errors, ...expressionErrors(compiled[isStored(expression) ? 'stored' : 'new'], expression, childPath(path, 'expression'))];
    });
  }

  #variableName({ name }: NamedExpression, path: FieldPath): FieldError[] {
    if (goTrim(name) === '') return [required(path, 'name is not specified')];
    if (IDENTIFIER.test(name) && !RESERVED_WORDS.has(name)) return [];
    const isShort = policyHas(this.minor, 'writtenWordsAreShort');
    return [invalid(path, name, isShort ? 'must be a valid CEL identifier' : 'name is not a valid CEL identifier')];
  }
}

/** Returns the compile error of an expression, or an empty list if the expression compiled. */
export function expressionErrors({ compiled }: PolicyExpression, text: string, path: FieldPath): FieldError[] {
  if (compiled.ok) return [];
  return [compiled.kind === 'program' ? internalError(path, compiled.error) : invalid(path, text, compiled.error)];
}

function validateParamKind({ apiVersion, kind }: ParamKind, path: FieldPath): FieldError[] {
  const at = childPath(path, 'apiVersion');
  const parts = apiVersion.split('/');
  const [group, version] = parts.length === 1 ? ['', apiVersion] : [parts[0] ?? '', parts[1] ?? ''];
  const errors: FieldError[] = [];
  if (apiVersion === '') errors.push(required(at, ''));
  else if (parts.length > 2) errors.push(invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  else {
    const groupProblems = group === '' ? [] : checkDns1123Subdomain(group);
    if (groupProblems.length > 0) errors.push(invalid(at, group, groupProblems.join(',')));
    const versionProblems = checkDns1035Label(version);
    if (version === '') errors.push(invalid(at, apiVersion, 'version must be specified'));
    else if (versionProblems.length > 0) errors.push(invalid(at, version, versionProblems.join(',')));
  }
  const kindProblems = checkDns1035Label(kind.toLowerCase());
  if (kind === '') errors.push(required(childPath(path, 'kind'), ''));
  else if (kindProblems.length > 0) {
    const why = `may have mixed case, but should otherwise match: ${kindProblems.join(',')}`;
    errors.push(invalid(childPath(path, 'kind'), kind, why));
  }
  return errors;
}
