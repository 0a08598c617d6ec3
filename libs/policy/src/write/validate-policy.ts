import { goTrim, utf8Length, isJsonObject } from '#go';
import {
  checkQualifiedName,
  childPath,
  duplicate,
  indexPath,
  invalid,
  notSupported,
  required,
  checkDns1123Subdomain,
  readObjectMeta,
  validateObjectMeta,
} from '#kube';
import { policyHas } from '../minors.ts';
import { readValidatingPolicy } from '../read/policy.ts';
import { expressionErrors, HeadWrite } from './head-write.ts';
import { wordValue } from './validate-match.ts';
import type { JsonObject } from '#go';
import type { FieldError, FieldPath, Minor } from '#kube';
import type { AuditAnnotation, Validation, ValidatingPolicy } from '../read/policy.ts';
import type { PolicyWriteOptions } from './head-write.ts';

/** Reasons that a validation may specify. The documentation of the field also lists `Unauthorized`, but every minor version refuses it. */
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const MAX_ANNOTATIONS = 20;
const MAX_VALUE_EXPRESSION_BYTES = 5 * 1024;
const NOTHING = 'validations or auditAnnotations must contain at least one item';

/**
 * Returns the errors that a server reports if a client creates or updates a ValidatingAdmissionPolicy. Expressions that the stored policy
 * already contained may use features that new expressions may not use. Throws `Unreadable` if a field has a wrong type, and `Cancelled` if
 * the token requests cancellation. Source: kubernetes pkg/apis/admissionregistration/validation/validation.go
 * `ValidateValidatingAdmissionPolicy` (1.30 to 1.37).
 */
export function validatePolicy(document: JsonObject, stored: JsonObject | undefined, options: PolicyWriteOptions): FieldError[] {
  const policy = readValidatingPolicy(document);
  const write = new PolicyWrite(policy, stored && readValidatingPolicy(stored), options);
  return [...validateMetadata(document), ...write.errors(childPath(undefined, 'spec'))];
}

/** Validation of one write of a validating policy. */
class PolicyWrite extends HeadWrite<ValidatingPolicy> {
  constructor(policy: ValidatingPolicy, old: ValidatingPolicy | undefined, options: PolicyWriteOptions) {
    // A validating policy without variables is compiled in an environment without variables.
    super(policy, old, options, policy.variables.length > 0 ? 'withVariables' : 'withoutVariables');
  }

  errors(path: FieldPath): FieldError[] {
    const { validations, auditAnnotations } = this.policy;
    const errors = [
      ...this.failurePolicy(path),
      ...this.paramKind(path),
      ...this.matchConstraints(path),
      ...this.matchConditions(path),
      ...this.variables(path, (text) => this.old?.validations.some(({ expression }) => expression === text) === true),
    ];
    if (validations.length === 0 && auditAnnotations.length === 0)
      return [...errors, required(childPath(path, 'validations'), NOTHING), required(childPath(path, 'auditAnnotations'), NOTHING)];
    for (const [i, validation] of validations.entries())
      errors.push(...this.#validation(validation, indexPath(childPath(path, 'validations'), i)));
    return [...errors, ...this.#annotations(childPath(path, 'auditAnnotations'))];
  }

  #validation({ expression, message, messageExpression, reason }: Validation, path: FieldPath): FieldError[] {
    const errors: FieldError[] = [];
    const old = this.old?.validations ?? [];
    if (goTrim(expression) === '') errors.push(required(childPath(path, 'expression'), 'expression is not specified'));
    else {
      const compiler = this.compilers[old.some((known) => known.expression === expression) ? 'stored' : 'new'];
      errors.push(...expressionErrors(compiler.compile('validation', expression, 0), expression, childPath(path, 'expression')));
    }
    const at = childPath(path, 'messageExpression');
    if (messageExpression !== '' && goTrim(messageExpression) === '')
      errors.push(invalid(at, messageExpression, 'must be non-empty if specified'));
    else if (messageExpression !== '') {
      const compiler = this.compilers[old.some((known) => known.messageExpression === messageExpression) ? 'stored' : 'new'];
      errors.push(...expressionErrors(compiler.compile('messageExpression', messageExpression, 0), messageExpression, at));
    }
    const what = policyHas(this.minor, 'writtenWordsAreShort') ? '' : 'message ';
    if (message !== '' && goTrim(message) === '')
      errors.push(invalid(childPath(path, 'message'), message, `${what}must be non-empty if specified`));
    else if (/[\n\r]/.test(goTrim(message)))
      errors.push(invalid(childPath(path, 'message'), message, `${what}must not contain line breaks`));
    if (reason !== undefined && !REASONS.includes(reason))
      errors.push(notSupported(childPath(path, 'reason'), wordValue(reason, this.minor), REASONS));
    return errors;
  }

  #annotations(path: FieldPath): FieldError[] {
    const { auditAnnotations: annotations } = this.policy;
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
    const { name } = this.policy;
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
    const known = this.old?.auditAnnotations.some((annotation) => annotation.valueExpression === valueExpression) === true;
    const compiled = this.compilers[known ? 'stored' : 'new'].compile('auditAnnotation', text, 0);
    return [...errors, ...expressionErrors(compiled, valueExpression, at)];
  }
}

/** Name suffix that is reserved for policies that a server loads from files. */
const STATIC_SUFFIX = '.static.k8s.io';
const RESERVED =
  'names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API';

/** Checks the metadata of a policy or binding. */
export function validateMetadata({ metadata }: JsonObject): FieldError[] {
  const meta = readObjectMeta(isJsonObject(metadata) ? metadata : {});
  return validateObjectMeta(meta, { namespaced: false, checkName: checkDns1123Subdomain }, childPath(undefined, 'metadata'));
}

/**
 * Returns the error or warning that a server reports for a policy or binding with a reserved name. Source: kubernetes
 * pkg/apis/admissionregistration/validation/static_suffix.go (1.36, 1.37).
 */
export function checkReservedName({ metadata }: JsonObject, minor: Minor): { readonly errors: FieldError[]; readonly warnings: string[] } {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  if (typeof name !== 'string' || !name.endsWith(STATIC_SUFFIX)) return { errors: [], warnings: [] };
  if (policyHas(minor, 'staticNamesAreRefused'))
    return { errors: [invalid(childPath(childPath(undefined, 'metadata'), 'name'), name, RESERVED)], warnings: [] };
  return { errors: [], warnings: policyHas(minor, 'staticNamesAreWarnedOf') ? [`metadata.name: ${RESERVED}`] : [] };
}
