import { goTrim } from '#go';
import { childPath, indexPath, invalid, notSupported, required } from '#kube';
import { MUTATION_RESULTS } from '../mutate/compiled-mutating-policy.ts';
import { readMutatingPolicy, readMutations } from '../mutate/mutating-policy.ts';
import { expressionErrors, HeadWrite } from './head-write.ts';
import { wordValue } from './shown-value.ts';
import { validateMutatingOperations } from './validate-match.ts';
import { validateMetadata } from './validate-metadata.ts';
import type { JsonObject } from '#go';
import type { FieldError, FieldPath } from '#kube';
import type { Mutation, MutatingPolicy, WrittenMutation } from '../mutate/mutating-policy.ts';
import type { PolicyWriteOptions } from './head-write.ts';

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
export function validateMutatingPolicy(document: JsonObject, stored: JsonObject | undefined, options: PolicyWriteOptions): FieldError[] {
  const policy = readMutatingPolicy(document);
  const write = new MutatingPolicyWrite(policy, stored && readMutatingPolicy(stored), options);
  return [...validateMetadata(document), ...write.errors(readMutations(document), childPath(undefined, 'spec'))];
}

/** Validation of one write of a mutating policy. */
class MutatingPolicyWrite extends HeadWrite<MutatingPolicy> {
  readonly #stored: ReadonlySet<string>;

  constructor(policy: MutatingPolicy, old: MutatingPolicy | undefined, options: PolicyWriteOptions) {
    super(policy, old, options, true);
    // Kubernetes compares with stored expressions of configurations only, even for patches.
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
      // Kubernetes compares stored variables with validations, and a mutating policy has none.
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
