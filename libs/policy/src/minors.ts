import { minorNumber } from '#kube';
import type { Minor } from '#kube';

/**
 * Differences in admission policies between Kubernetes minor versions. The differences in CEL and built-in kinds are listed in libs/cel and
 * libs/builtin. Each value is the first minor version (number after the dot) with the new behaviour. Support for a new minor version begins
 * here: extend this list, and the list of its entries in `minors.spec.ts`. Source: k8s.io/apiserver/pkg/admission/plugin (1.30 to 1.37); an
 * entry may name the file.
 */
export const POLICY_DIFFERENCES = {
  /**
   * The CEL functions of Kubernetes, including authorization checks, have costs. In earlier minor versions, they have no costs. Source:
   * plugin/policy/validating/plugin.go.
   */
  costsAreStrict: 32,
  /** The error about a wrong type of an expression contains the actual type. Source: plugin/cel/compile.go. */
  foundTypesAreTold: 32,
  /**
   * A namespace that is not found is looked up a second time. The second lookup changes the error text. Source:
   * plugin/webhook/predicates/namespace/matcher.go.
   */
  namespacesAreLookedUpTwice: 32,
  /**
   * The decision for a validation that returns false has the evaluation `deny`. In earlier minor versions, the evaluation is empty. Source:
   * plugin/policy/validating/validator.go.
   */
  denialsAreEvaluations: 32,
  /**
   * The audit annotation `validation_failure` contains all failures. In earlier minor versions, it contains only the first failure. Source:
   * plugin/policy/validating/dispatcher.go.
   */
  failuresAreCollected: 37,
  /** The server evaluates mutating policies and declares the CEL types `Object` and `JSONPatch`. Source: plugin/policy/mutating. */
  policiesMutate: 32,
  /**
   * An item of an associative list needs only a single key field. In earlier minor versions, it needs every key field that has no default.
   * Source: structured-merge-diff typed/helpers.go.
   */
  oneKeyIsEnough: 34,
  /**
   * When an apply configuration is merged, the associative lists of the stored object may have items with equal keys. Source:
   * plugin/policy/mutating/patch/smd.go.
   */
  storedDuplicatesMerge: 35,
  /** JSON patches are applied by json-patch.v4 4.13. Earlier Kubernetes minor versions use 4.12. */
  patchLibraryIsNewer: 35,
  /**
   * Lists and maps in a JSON patch's value may contain object literals. In earlier minor versions, such a literal makes the server panic.
   * Source: pkg/cel/mutation/dynamic/objects.go.
   */
  nestedLiteralsConvert: 35,
  /**
   * If an object literal contains a value that was read from an object, nulls in this value cannot be converted to JSON. In earlier minor
   * versions, they can. Source: pkg/cel/mutation/dynamic/objects.go.
   */
  nullsInLiteralsAreForeign: 37,
  /** Type checking declares `params` even if the paramKind has no schema. Source: plugin/policy/validating/typechecking.go. */
  unknownParamsAreDeclared: 36,
  /**
   * Errors about the write of a binding contain the correct field name `matchResources`. In earlier minor versions, they contain the
   * misspelt `matchResouces`. Source: kubernetes pkg/apis/admissionregistration/validation/validation.go.
   */
  bindingsAreSpelled: 32,
  /**
   * Errors about names and messages in the write of a policy begin with `must be …` or `must not …`. Source: kubernetes
   * pkg/apis/admissionregistration/validation/validation.go.
   */
  writtenWordsAreShort: 34,
  /**
   * Errors about the write of a policy show values of Go types as JSON. In earlier minor versions, they show them in Go's syntax. Source:
   * k8s.io/apimachinery/pkg/util/validation/field/errors.go.
   */
  badValuesAreJson: 34,
  /**
   * Declarative validation reports the missing fields of a binding. Its errors follow all other errors and contain no reason. Source:
   * kubernetes pkg/apis/admissionregistration/v1/zz_generated.validations.go.
   */
  bindingsAreDeclarative: 36,
  /**
   * Webhooks are not called for review resources, such as SubjectAccessReview, which are never stored. Source:
   * plugin/webhook/generic/webhook.go, with the feature gate ExcludeAdmissionWebhookVirtualResources.
   */
  reviewsMeetNoWebhooks: 37,
  /**
   * The write of a policy returns a warning if the policy's name ends in `.static.k8s.io`. Source: kubernetes
   * pkg/apis/admissionregistration/validation/static_suffix.go.
   */
  staticNamesAreWarnedOf: 36,
  /**
   * A policy whose name ends in `.static.k8s.io` is rejected. Source: kubernetes
   * pkg/apis/admissionregistration/validation/static_suffix.go, with the feature gate ManifestBasedAdmissionControlConfig.
   */
  staticNamesAreRefused: 37,
} as const satisfies Readonly<Record<string, number>>;

/** Name of a behaviour of admission policies that differs between Kubernetes minor versions: an entry of {@link POLICY_DIFFERENCES}. */
export type PolicyChange = keyof typeof POLICY_DIFFERENCES;

/**
 * Returns true if a Kubernetes minor version has the newer behaviour of admission policies that `change` names. `change` is a key of {@link
 * POLICY_DIFFERENCES}.
 */
export function policyHas(minor: Minor, change: PolicyChange): boolean {
  return minorNumber(minor) >= POLICY_DIFFERENCES[change];
}
