import { goTrim, utf8Length } from '#go';
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
import { readValidatingPolicy } from '../read/policy.ts';
import { validateMetadata } from './validate-binding.ts';
import { validateMatch } from './validate-match.ts';
import type { JsonObject } from '#go';
import type { FieldError, FieldPath, Minor } from '#kube';
import type { CompiledExpression } from '../expressions/compile-expressions.ts';
import type { AuditAnnotation, NamedExpression, ParamKind, Validation, ValidatingPolicy } from '../read/policy.ts';

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const MAX_CONDITIONS = 64;
const MAX_ANNOTATIONS = 20;
const MAX_VALUE_EXPRESSION_BYTES = 5 * 1024;
const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const NOTHING = 'validations or auditAnnotations must contain at least one item';

/**
 * What a server has against a ValidatingAdmissionPolicy that is written. Expressions of the stored one may say what only stored expressions may.
 * There is no oracle for this. Throws `Unreadable`.
 * Source: kubernetes pkg/apis/admissionregistration/validation/validation.go `ValidateValidatingAdmissionPolicy` (1.37).
 */
export function validatePolicy(document: JsonObject, stored: JsonObject | undefined, minor: Minor): FieldError[] {
  const policy = readValidatingPolicy(document);
  const old = stored && readValidatingPolicy(stored);
  return [...validateMetadata(document), ...new PolicyWrite(policy, old, minor).errors(childPath(undefined, 'spec'))];
}

/** One write of a policy. */
class PolicyWrite {
  readonly #policy: ValidatingPolicy;
  readonly #old: ValidatingPolicy | undefined;
  readonly #compilers: Readonly<Record<'new' | 'stored', ExpressionCompiler>>;
  readonly #conditionCompilers: Readonly<Record<'new' | 'stored', ExpressionCompiler>>;

  constructor(policy: ValidatingPolicy, old: ValidatingPolicy | undefined, minor: Minor) {
    this.#policy = policy;
    this.#old = old;
    const compilers = (hasVariables: boolean): Readonly<Record<'new' | 'stored', ExpressionCompiler>> => {
      const options = { minor, engine: 'interpreted', hasParams: policy.paramKind !== undefined, hasVariables } as const;
      return { new: new ExpressionCompiler({ ...options, use: 'new' }), stored: new ExpressionCompiler({ ...options, use: 'stored' }) };
    };
    // Without variables of its own a policy is compiled as if nobody had any, and its match conditions always are.
    this.#compilers = compilers(policy.variables.length > 0);
    this.#conditionCompilers = compilers(false);
  }

  errors(path: FieldPath): FieldError[] {
    const { failurePolicy, paramKind, matchConstraints, variables, validations, auditAnnotations } = this.#policy;
    const errors: FieldError[] = [];
    if (!FAILURE_POLICIES.includes(failurePolicy))
      errors.push(notSupported(childPath(path, 'failurePolicy'), failurePolicy, FAILURE_POLICIES));
    if (paramKind !== undefined) errors.push(...validateParamKind(paramKind, childPath(path, 'paramKind')));
    const constraints = childPath(path, 'matchConstraints');
    if (matchConstraints === undefined) errors.push(required(constraints, ''));
    else {
      errors.push(...validateMatch(matchConstraints, constraints));
      if (matchConstraints.resourceRules.length === 0) errors.push(required(childPath(constraints, 'resourceRules'), ''));
    }
    errors.push(...this.#conditions(childPath(path, 'matchConditions')));
    for (const [i, variable] of variables.entries()) errors.push(...this.#variable(variable, indexPath(childPath(path, 'variables'), i)));
    if (validations.length === 0 && auditAnnotations.length === 0)
      return [...errors, required(childPath(path, 'validations'), NOTHING), required(childPath(path, 'auditAnnotations'), NOTHING)];
    for (const [i, validation] of validations.entries())
      errors.push(...this.#validation(validation, indexPath(childPath(path, 'validations'), i)));
    return [...errors, ...this.#annotations(childPath(path, 'auditAnnotations'))];
  }

  /** Match conditions that did not change are let be. */
  #conditions(path: FieldPath): FieldError[] {
    const { matchConditions, paramKind } = this.#policy;
    const old = this.#old;
    const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
    if (old !== undefined && same(old.paramKind, paramKind) && same(old.matchConditions, matchConditions)) return [];
    const errors = matchConditions.length > MAX_CONDITIONS ? [tooMany(path, matchConditions.length, MAX_CONDITIONS)] : [];
    const names = new Set<string>();
    for (const [i, { name, expression }] of matchConditions.entries()) {
      const at = indexPath(path, i);
      const text = goTrim(expression);
      const known = old?.matchConditions.some((condition) => condition.expression === text) === true;
      if (text === '') errors.push(required(childPath(at, 'expression'), ''));
      else
        errors.push(
          ...faults(
            this.#conditionCompilers[known ? 'stored' : 'new'].compile('matchCondition', text, i),
            text,
            childPath(at, 'expression'),
          ),
        );
      if (name === '') errors.push(required(childPath(at, 'name'), ''));
      else errors.push(...checkQualifiedName(name).map((problem) => invalid(childPath(at, 'name'), name, problem)));
      if (name !== '' && names.has(name)) errors.push(duplicate(childPath(at, 'name'), name));
      names.add(name);
    }
    return errors;
  }

  #variable(variable: NamedExpression, path: FieldPath): FieldError[] {
    const { name, expression } = variable;
    const errors: FieldError[] = [];
    if (goTrim(name) === '') errors.push(required(childPath(path, 'name'), 'name is not specified'));
    else if (!IDENTIFIER.test(name) || RESERVED_WORDS.has(name))
      errors.push(invalid(childPath(path, 'name'), name, 'name is not a valid CEL identifier'));
    if (goTrim(expression) === '') return [...errors, required(childPath(path, 'expression'), 'expression is not specified')];
    const known = this.#old?.validations.some((validation) => validation.expression === expression) === true;
    const compiled = { new: this.#compilers.new.variable(variable), stored: this.#compilers.stored.variable(variable) };
    return [...errors, ...faults(compiled[known ? 'stored' : 'new'], expression, childPath(path, 'expression'))];
  }

  #validation({ expression, message, messageExpression, reason }: Validation, path: FieldPath): FieldError[] {
    const errors: FieldError[] = [];
    const old = this.#old?.validations ?? [];
    if (goTrim(expression) === '') errors.push(required(childPath(path, 'expression'), 'expression is not specified'));
    else {
      const compiler = this.#compilers[old.some((known) => known.expression === expression) ? 'stored' : 'new'];
      errors.push(...faults(compiler.compile('validation', expression, 0), expression, childPath(path, 'expression')));
    }
    const at = childPath(path, 'messageExpression');
    if (messageExpression !== '' && goTrim(messageExpression) === '')
      errors.push(invalid(at, messageExpression, 'must be non-empty if specified'));
    else if (messageExpression !== '') {
      const compiler = this.#compilers[old.some((known) => known.messageExpression === messageExpression) ? 'stored' : 'new'];
      errors.push(...faults(compiler.compile('messageExpression', messageExpression, 0), messageExpression, at));
    }
    if (message !== '' && goTrim(message) === '')
      errors.push(invalid(childPath(path, 'message'), message, 'message must be non-empty if specified'));
    else if (/[\n\r]/.test(goTrim(message)))
      errors.push(invalid(childPath(path, 'message'), message, 'message must not contain line breaks'));
    if (reason !== undefined && !REASONS.includes(reason)) errors.push(notSupported(childPath(path, 'reason'), reason, REASONS));
    return errors;
  }

  #annotations(path: FieldPath): FieldError[] {
    const { auditAnnotations: annotations } = this.#policy;
    const errors: FieldError[] = [];
    if (annotations.length > MAX_ANNOTATIONS) {
      const shown = annotations.map(({ key, valueExpression }) => ({ key, valueExpression }));
      errors.push(invalid(path, shown, `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`));
    }
    const keys = new Set<string>();
    for (const [i, annotation] of annotations.entries()) {
      errors.push(...this.#annotation(annotation, indexPath(path, i)));
      if (keys.has(annotation.key)) errors.push(duplicate(childPath(indexPath(path, i), 'key'), annotation.key));
      keys.add(annotation.key);
    }
    return errors;
  }

  #annotation({ key, valueExpression }: AuditAnnotation, path: FieldPath): FieldError[] {
    const { name } = this.#policy;
    const whole = `${name}/${key}`;
    const errors =
      name === ''
        ? [invalid(childPath(path, 'key'), key, 'requires metadata.name be non-empty')]
        : checkQualifiedName(whole).map((problem) => invalid(childPath(path, 'key'), whole, problem));
    const at = childPath(path, 'valueExpression');
    const text = goTrim(valueExpression);
    if (text === '') return [...errors, required(at, 'valueExpression is not specified')];
    if (utf8Length(text) > MAX_VALUE_EXPRESSION_BYTES)
      return [...errors, required(at, `must not exceed ${MAX_VALUE_EXPRESSION_BYTES} bytes in length`)];
    const known = this.#old?.auditAnnotations.some((annotation) => annotation.valueExpression === valueExpression) === true;
    const compiled = this.#compilers[known ? 'stored' : 'new'].compile('auditAnnotation', text, 0);
    return [...errors, ...faults(compiled, valueExpression, at)];
  }
}

/** What is wrong with an expression. */
function faults({ compiled }: CompiledExpression, text: string, path: FieldPath): FieldError[] {
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
