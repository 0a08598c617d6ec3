import {
  badRequestStatus,
  invalidStatus,
  notFoundStatus,
  childPath,
  indexPath,
  invalid,
  notSupported,
  required,
  checkDns1123Subdomain,
  checkPathSegmentName,
  duplicate,
  forbidden,
} from '#kube';
import { builtInKind, judgeBuiltInWrite } from '../admission/builtin-write.ts';
import { Unreadable } from '../read/fields.ts';
import { checkReservedName, validateMetadata, validatePolicy } from './validate-policy.ts';
import type { ObjectWrite } from '#crd';
import type { JsonObject } from '#go';
import type { FieldError, Status, FieldPath, Minor } from '#kube';
import type { PolicyWriteOptions } from './head-write.ts';
import { goTrim } from '#go';
import { MUTATION_RESULTS, readMutatingPolicy, readMutations } from '../mutate/mutating-policy.ts';
import type { Mutation, MutatingPolicy, WrittenMutation } from '../mutate/mutating-policy.ts';
import { expressionErrors, HeadWrite } from './head-write.ts';
import { listValue, validateMatch, validateMutatingOperations, validateSelector, wordValue } from './validate-match.ts';
import { readBinding } from '../read/policy.ts';
import type { ParamRef, PolicyBinding } from '../read/policy.ts';
import { policyHas } from '../minors.ts';

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const NOT_FOUND_ACTIONS = ['Deny', 'Allow'];
const EXCLUSIVE = 'name and selector are mutually exclusive';

/**
 * Returns the errors that a server reports for a written ValidatingAdmissionPolicyBinding. Throws `Unreadable` if a field has a wrong type.
 * Source: kubernetes pkg/apis/admissionregistration/validation/validation.go `ValidateValidatingAdmissionPolicyBinding` (1.30 to 1.37).
 */
export function validateBinding(document: JsonObject, minor: Minor): FieldError[] {
  const binding = readBinding(document);
  const path = childPath(undefined, 'spec');
  return [
    ...validateMetadata(document),
    ...validateReferences(binding, minor, { isDeclared: policyHas(minor, 'bindingsAreDeclarative') }),
    ...validateActions(binding.validationActions, childPath(path, 'validationActions'), minor),
  ];
}

/**
 * Returns the errors that a server reports for a written MutatingAdmissionPolicyBinding. Throws `Unreadable` if a field has a wrong type.
 * Source: kubernetes pkg/apis/admissionregistration/validation/validation.go `ValidateMutatingAdmissionPolicyBinding` (1.32 to 1.37).
 */
function validateMutatingBinding(document: JsonObject, minor: Minor): FieldError[] {
  const binding = readBinding(document);
  const rules = childPath(childPath(childPath(undefined, 'spec'), 'matchResources'), 'resourceRules');
  return [
    ...validateMetadata(document),
    ...validateReferences(binding, minor, { isDeclared: false }),
    ...validateMutatingOperations(binding.matchResources?.resourceRules ?? [], rules, minor),
  ];
}

/**
 * Returns the errors that declarative validation reports about missing fields of a ValidatingAdmissionPolicyBinding. The server lists these
 * errors after all others. Returns an empty list for Kubernetes minor versions without this declarative validation. Throws `Unreadable` if
 * a field has a wrong type.
 */
export function missingFieldErrors(document: JsonObject, minor: Minor): FieldError[] {
  if (!policyHas(minor, 'bindingsAreDeclarative')) return [];
  const { policyName, validationActions } = readBinding(document);
  const path = childPath(undefined, 'spec');
  return [
    ...(policyName === '' ? [required(childPath(path, 'policyName'), '')] : []),
    ...(validationActions.length === 0 ? [required(childPath(path, 'validationActions'), '')] : []),
  ];
}

/**
 * Checks the fields in which a validating or mutating binding refers to its policy, parameters and resources. If `isDeclared` is true, a
 * missing policy name is not reported here.
 */
function validateReferences(
  { policyName, paramRef, matchResources }: PolicyBinding,
  minor: Minor,
  { isDeclared }: { readonly isDeclared: boolean },
): FieldError[] {
  const path = childPath(undefined, 'spec');
  const field = policyHas(minor, 'bindingsAreSpelled') ? 'matchResources' : 'matchResouces';
  return [
    ...(policyName === ''
      ? isDeclared
        ? []
        : [required(childPath(path, 'policyName'), '')]
      : checkDns1123Subdomain(policyName).map((problem) => invalid(childPath(path, 'policyName'), policyName, problem))),
    ...(paramRef === undefined ? [] : validateParamRef(paramRef, childPath(path, 'paramRef'), minor)),
    ...(matchResources === undefined ? [] : validateMatch(matchResources, childPath(path, field), minor)),
  ];
}

function validateParamRef({ name, selector, parameterNotFoundAction: action = '' }: ParamRef, path: FieldPath, minor: Minor): FieldError[] {
  const errors: FieldError[] = [];
  if (name !== '') {
    errors.push(...checkPathSegmentName(name).map((problem) => invalid(childPath(path, 'name'), name, problem)));
    if (selector !== undefined) errors.push(forbidden(childPath(path, 'name'), EXCLUSIVE));
  }
  if (selector !== undefined) {
    errors.push(...validateSelector(selector, childPath(path, 'selector'), minor));
    if (name !== '') errors.push(forbidden(childPath(path, 'selector'), EXCLUSIVE));
  }
  if (name === '' && selector === undefined) errors.push(required(path, 'one of name or selector must be specified'));
  const at = childPath(path, 'parameterNotFoundAction');
  if (action === '') errors.push(required(at, ''));
  else if (!NOT_FOUND_ACTIONS.includes(action)) errors.push(notSupported(at, wordValue(action, minor), NOT_FOUND_ACTIONS));
  return errors;
}

function validateActions(actions: readonly string[], path: FieldPath, minor: Minor): FieldError[] {
  const errors = actions.flatMap((action, i) => [
    ...(ACTIONS.includes(action) ? [] : [notSupported(indexPath(path, i), wordValue(action, minor), ACTIONS)]),
    ...(actions.indexOf(action) < i ? [duplicate(indexPath(path, i), wordValue(action, minor))] : []),
  ]);
  if (actions.includes('Deny') && actions.includes('Warn')) {
    const why = 'repeating the same validation failure information in the API response and headers serves no purpose';
    const shown = listValue(actions, 'admissionregistration.ValidationAction', minor);
    errors.push(invalid(path, shown, `must not contain both Deny and Warn (${why})`));
  }
  if (actions.length === 0 && !policyHas(minor, 'bindingsAreDeclarative'))
    errors.push(required(path, 'at least one validation action is required'));
  return errors;
}

const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];
const PATCH_TYPES = ['ApplyConfiguration', 'JSONPatch'];
const FIELDS = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const satisfies Record<
  Mutation['patchType'],
  string
>;

/**
 * Returns the errors that a server reports for a written MutatingAdmissionPolicy. Expressions that the stored policy already contained may
 * use features that are reserved for stored expressions. Throws `Unreadable` if a field has a wrong type, and `Cancelled` if the token
 * requests cancellation. Source: kubernetes pkg/apis/admissionregistration/validation/validation.go `ValidateMutatingAdmissionPolicy` (1.32
 * to 1.37).
 */
function validateMutatingPolicy(document: JsonObject, stored: JsonObject | undefined, options: PolicyWriteOptions): FieldError[] {
  const policy = readMutatingPolicy(document);
  const write = new MutatingPolicyWrite(policy, stored && readMutatingPolicy(stored), options);
  return [...validateMetadata(document), ...write.errors(readMutations(document), childPath(undefined, 'spec'))];
}

/** Validation of one write of a mutating policy. */
class MutatingPolicyWrite extends HeadWrite<MutatingPolicy> {
  readonly #stored: ReadonlySet<string>;

  constructor(policy: MutatingPolicy, old: MutatingPolicy | undefined, options: PolicyWriteOptions) {
    super(policy, old, options, 'withVariables');
    // Kubernetes treats an expression as stored only if an old apply configuration contains its text. The same is true for expressions of
    // patches.
    const configurations = (old?.mutations ?? []).filter(({ patchType }) => patchType === 'ApplyConfiguration');
    this.#stored = new Set(configurations.map(({ expression }) => expression));
  }

  errors(mutations: readonly WrittenMutation[], path: FieldPath): FieldError[] {
    const { matchConstraints, reinvocationPolicy } = this.policy;
    const rules = childPath(childPath(path, 'matchConstraints'), 'resourceRules');
    const errors = [
      ...this.failurePolicy(path),
      ...this.paramKind(path),
      ...this.matchConstraints(path),
      ...validateMutatingOperations(matchConstraints?.resourceRules ?? [], rules, this.minor),
      ...this.matchConditions(path),
      // Kubernetes looks for stored variables among the validations, which a mutating policy lacks. So each variable counts as new.
      ...this.variables(path, () => false),
    ];
    const at = childPath(path, 'mutations');
    if (mutations.length === 0) errors.push(required(at, 'mutations must contain at least one item'));
    for (const [i, mutation] of mutations.entries()) errors.push(...this.#mutation(mutation, indexPath(at, i)));
    const reinvocation = childPath(path, 'reinvocationPolicy');
    if (reinvocationPolicy === '') errors.push(required(reinvocation, ''));
    else if (!REINVOCATION_POLICIES.includes(reinvocationPolicy))
      errors.push(notSupported(reinvocation, wordValue(reinvocationPolicy, this.minor), REINVOCATION_POLICIES));
    return errors;
  }

  #mutation(mutation: WrittenMutation, path: FieldPath): FieldError[] {
    const { patchType } = mutation;
    if (patchType === '') return [required(childPath(path, 'patchType'), '')];
    if (patchType !== 'ApplyConfiguration' && patchType !== 'JSONPatch')
      return [notSupported(childPath(path, 'patchType'), wordValue(patchType, this.minor), PATCH_TYPES)];
    const field = FIELDS[patchType];
    const other = FIELDS[patchType === 'JSONPatch' ? 'ApplyConfiguration' : 'JSONPatch'];
    const text = mutation[field];
    const at = childPath(path, field);
    return [
      ...(text === undefined ? [required(at, `must be specified when patchType is ${patchType}`)] : this.#expression(patchType, text, at)),
      ...(mutation[other] === undefined
        ? []
        : [invalid(childPath(path, other), `{${other}}`, `must not be specified when patchType is ${patchType}`)]),
    ];
  }

  #expression(patchType: Mutation['patchType'], expression: string, path: FieldPath): FieldError[] {
    const text = goTrim(expression);
    const at = childPath(path, 'expression');
    if (text === '') return [required(at, '')];
    const compiler = this.compilers[this.#stored.has(expression) ? 'stored' : 'new'];
    return expressionErrors(compiler.mutation('mutation', text, 0, [MUTATION_RESULTS[patchType]]), text, at);
  }
}

const GROUP = 'admissionregistration.k8s.io';

/** The server's answer to the creation of a policy or a binding. */
export interface PolicyReview {
  readonly kind: string;
  readonly name: string;
  /** Status with which the server refuses the object; undefined if the object is stored. */
  readonly refusal: Status | undefined;
  readonly warnings: readonly string[];
}

/** Options for computing the answer to the creation of a policy or binding. */
export interface PolicyReviewOptions extends PolicyWriteOptions {
  /** Treatment of unknown and duplicate fields. The default is `Warn`. */
  readonly fieldValidation?: ObjectWrite['fieldValidation'];
  /** Text of the document, in which keys may be duplicated. If it is absent, the document has no duplicate keys. */
  readonly body?: { readonly text: string; readonly notation: string } | undefined;
}

/** Functions that validate a policy or binding, by the kind of the document. The document must be decoded and have its defaults. */
const VALIDATIONS: Readonly<Record<string, (document: JsonObject, options: PolicyWriteOptions) => FieldError[]>> = {
  ValidatingAdmissionPolicy: (document, options) => validatePolicy(document, undefined, options),
  ValidatingAdmissionPolicyBinding: (document, { minor }) => validateBinding(document, minor),
  MutatingAdmissionPolicy: (document, options) => validateMutatingPolicy(document, undefined, options),
  MutatingAdmissionPolicyBinding: (document, { minor }) => validateMutatingBinding(document, minor),
};

/**
 * Computes the server's answer to the creation of a policy or binding. It decodes the document into its Go type, applies defaults, and
 * validates the result. Does not check if the author may read the parameters. Returns undefined for a document of another kind. Throws
 * `Cancelled` if the token requests cancellation. Source: kubernetes
 * pkg/registry/admissionregistration/validatingadmissionpolicy/strategy.go and its neighbours (1.37).
 */
export function reviewPolicy(document: JsonObject, options: PolicyReviewOptions): PolicyReview | undefined {
  const { minor, token, fieldValidation = 'Warn', body } = options;
  const kind = textOf(document['kind']);
  const validate = VALIDATIONS[kind];
  if (validate === undefined) return undefined;
  const found = builtInKind(textOf(document['apiVersion']), kind, minor);
  const identity = { kind, name: nameOf(document) };
  if (found === undefined) return { ...identity, refusal: UNSERVED, warnings: [] };
  const write = {
    operation: 'CREATE',
    body: body === undefined ? document : body.text,
    contentType: body?.notation === 'yaml' ? 'application/yaml' : 'application/json',
    fieldValidation,
    version: found.version,
  } as const;
  const decoded = judgeBuiltInWrite(found, write, minor, { ...(token && { token }) });
  if (!decoded.accepted) return { ...identity, refusal: decoded.status, warnings: decoded.warnings };
  try {
    const { object } = decoded;
    const reserved = checkReservedName(object, minor);
    const declared = kind === 'ValidatingAdmissionPolicyBinding' ? missingFieldErrors(object, minor) : [];
    const errors = [...validate(object, options), ...reserved.errors, ...declared];
    const refusal = errors.length === 0 ? undefined : invalidStatus({ group: GROUP, kind }, identity.name, errors);
    return { ...identity, refusal, warnings: [...decoded.warnings, ...reserved.warnings] };
  } catch (thrown) {
    if (thrown instanceof Unreadable) return { ...identity, refusal: badRequestStatus(thrown.message), warnings: decoded.warnings };
    throw thrown;
  }
}

const UNSERVED: Status = {
  ...notFoundStatus({ group: GROUP, resource: '' }, ''),
  message: 'the server could not find the requested resource',
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function nameOf({ metadata }: JsonObject): string {
  return metadata !== null && typeof metadata === 'object' && 'name' in metadata ? textOf(metadata['name']) : '';
}
