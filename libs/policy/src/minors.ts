import { minorNumber } from '#kube';
import type { Minor } from '#kube';

/**
 * The differences between server minors about admission policies; libs/cel and libs/builtin list others. Each value is
 * the first minor (number after the dot) with the later behaviour. To add a minor, read this file and extend this list;
 * `minors.spec.ts` names every entry. Source: k8s.io/apiserver/pkg/admission/plugin (1.30 to 1.37); an entry may name
 * the file.
 */
export const POLICY_DIFFERENCES = {
  /** Kubernetes' own CEL functions, including authorization checks, have costs. Source: plugin/policy/validating/plugin.go. */
  costsAreStrict: 32,
  /** The error about a wrong type of an expression contains the actual type. Source: plugin/cel/compile.go. */
  foundTypesAreTold: 32,
  /**
   * A namespace that is not found is looked up a second time, which changes the text of the error. Source:
   * plugin/webhook/predicates/namespace/matcher.go.
   */
  namespacesAreLookedUpTwice: 32,
  /**
   * The decision about a false validation has the evaluation `deny`. Before, its evaluation is empty. Source:
   * plugin/policy/validating/validator.go.
   */
  denialsAreEvaluations: 32,
  /**
   * The audit annotation `validation_failure` contains all failures. Before, it contains only the first. Source:
   * plugin/policy/validating/dispatcher.go.
   */
  failuresAreCollected: 37,
  /** There are mutating policies, and with them the types `Object` and `JSONPatch`. Source: plugin/policy/mutating. */
  policiesMutate: 32,
  /**
   * An item of an associative list needs a single key field. Before, it needs each key without a default. Source:
   * structured-merge-diff typed/helpers.go.
   */
  oneKeyIsEnough: 34,
  /** The stored object's associative lists may have items with the same key when a configuration is merged. Source: plugin/policy/mutating/patch/smd.go. */
  storedDuplicatesMerge: 35,
  /** JSON patches are applied by json-patch.v4 4.13. Before, they are applied by 4.12. */
  patchLibraryIsNewer: 35,
  /**
   * Lists and maps in a JSON patch's value may contain object literals. Before, the server panics. Source:
   * pkg/cel/mutation/dynamic/objects.go.
   */
  nestedLiteralsConvert: 35,
  /** A null in an object literal that comes from a part of an object cannot be converted to JSON. Before, it can. Source: as above. */
  nullsInLiteralsAreForeign: 37,
  /** Type checking declares `params` even if the paramKind has no schema. Source: plugin/policy/validating/typechecking.go. */
  unknownParamsAreDeclared: 36,
  /**
   * Errors about the write of a binding use the right field name `matchResources`. Before, they use the misspelt `matchResouces`. Source:
   * kubernetes pkg/apis/admissionregistration/validation/validation.go.
   */
  bindingsAreSpelled: 32,
  /** Errors about names and messages when a policy is written say `must be …`, `must not …`. Source: as above. */
  writtenWordsAreShort: 34,
  /**
   * Errors about the write of a policy show values of Go's own types as JSON. Before, they show them in Go's syntax. Source:
   * k8s.io/apimachinery/pkg/util/validation/field/errors.go.
   */
  badValuesAreJson: 34,
  /**
   * Declarative validation reports the missing fields of a binding, after all other errors and without a reason.
   * Source: kubernetes pkg/apis/admissionregistration/v1/zz_generated.validations.go.
   */
  bindingsAreDeclarative: 36,
  /**
   * Webhooks are not called for reviews, which are never stored. Source: plugin/webhook/generic/webhook.go, with the feature gate
   * ExcludeAdmissionWebhookVirtualResources.
   */
  reviewsMeetNoWebhooks: 37,
  /**
   * The write of a policy returns a warning if the policy's name ends in `.static.k8s.io`. Source: kubernetes
   * pkg/apis/admissionregistration/validation/static_suffix.go.
   */
  staticNamesAreWarnedOf: 36,
  /**
   * A policy whose name ends in `.static.k8s.io` is rejected. Source: as above, with the feature gate ManifestBasedAdmissionControlConfig.
   */
  staticNamesAreRefused: 37,
} as const satisfies Readonly<Record<string, number>>;

/** Name of an entry of {@link POLICY_DIFFERENCES}. */
export type PolicyChange = keyof typeof POLICY_DIFFERENCES;

/** Returns true if the minor has the later behaviour of the entry `change`. */
export function policyHas(minor: Minor, change: PolicyChange): boolean {
  return minorNumber(minor) >= POLICY_DIFFERENCES[change];
}
