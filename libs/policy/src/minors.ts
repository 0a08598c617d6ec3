import { minorNumber } from '#kube';
import type { Minor } from '#kube';

/**
 * The differences between server minors about admission policies; libs/cel and libs/builtin list others. Each value is
 * the first minor (number after the dot) with the later behaviour. To add a minor, read this file and extend this list;
 * `minors.spec.ts` names every entry. Source: k8s.io/apiserver/pkg/admission/plugin (1.30 to 1.37); an entry may name
 * the file.
 */
export const POLICY_DIFFERENCES = {
  /** Kubernetes prices the functions of its own, authorization checks among them. Source: plugin/policy/validating/plugin.go. */
  costsAreStrict: 32,
  /** The complaint about the type of an expression tells which one it is. Source: plugin/cel/compile.go. */
  foundTypesAreTold: 32,
  /** A namespace that is not there is looked up once more, which changes how the error calls it. Source: plugin/webhook/predicates/namespace/matcher.go. */
  namespacesAreLookedUpTwice: 32,
  /** The decision on a false validation says `deny` of the evaluation, before nothing. Source: plugin/policy/validating/validator.go. */
  denialsAreEvaluations: 32,
  /** The audit annotation `validation_failure` holds all failures, before only the first. Source: plugin/policy/validating/dispatcher.go. */
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
  /** A JSON patch is applied by json-patch.v4 4.13, before by 4.12. */
  patchLibraryIsNewer: 35,
  /**
   * Lists and maps in a JSON patch's value may contain object literals. Before, the server panics. Source:
   * pkg/cel/mutation/dynamic/objects.go.
   */
  nestedLiteralsConvert: 35,
  /** A null that comes into a literal with a part of an object is no JSON, before it was. Source: as above. */
  nullsInLiteralsAreForeign: 37,
  /** Type checking declares `params` also where their kind has no schema. Source: plugin/policy/validating/typechecking.go. */
  unknownParamsAreDeclared: 36,
  /** Errors about a written binding spell `matchResources` as the field is, before `matchResouces`. Source: kubernetes pkg/apis/admissionregistration/validation/validation.go. */
  bindingsAreSpelled: 32,
  /** Errors about names and messages of a written policy say `must be …`, `must not …`. Source: as above. */
  writtenWordsAreShort: 34,
  /** Errors about a written policy show values of Go's own types as JSON, before as Go does. Source: k8s.io/apimachinery/pkg/util/validation/field/errors.go. */
  badValuesAreJson: 34,
  /**
   * Declarative validation reports the missing fields of a binding, after all other errors and without a reason.
   * Source: kubernetes pkg/apis/admissionregistration/v1/zz_generated.validations.go.
   */
  bindingsAreDeclarative: 36,
  /** Webhooks are not asked about reviews, which nobody stores. Source: plugin/webhook/generic/webhook.go, with the feature gate ExcludeAdmissionWebhookVirtualResources. */
  reviewsMeetNoWebhooks: 37,
  /** A policy whose name ends in `.static.k8s.io` brings a warning when it is written. Source: kubernetes pkg/apis/admissionregistration/validation/static_suffix.go. */
  staticNamesAreWarnedOf: 36,
  /** Such a policy is refused. Source: as above, with the feature gate ManifestBasedAdmissionControlConfig. */
  staticNamesAreRefused: 37,
} as const satisfies Readonly<Record<string, number>>;

/** The name of an entry. */
export type PolicyChange = keyof typeof POLICY_DIFFERENCES;

/** Returns true when a minor has an entry's later behaviour. */
export function policyHas(minor: Minor, change: PolicyChange): boolean {
  return minorNumber(minor) >= POLICY_DIFFERENCES[change];
}
