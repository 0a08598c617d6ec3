import { minorNumber } from '#kube';
import type { Difference, Minor } from '#kube';

/**
 * Differences in admission policies between Kubernetes minor versions. The differences in CEL and built-in kinds are listed in libs/cel and
 * `built-in/`. Support for a new minor version begins here: extend this list, and the list of its entries in `minors.spec.ts`. Source:
 * k8s.io/apiserver/pkg/admission/plugin (1.30 to 1.37), in the file that an entry names.
 */
export const POLICY_DIFFERENCES = {
  /** Source: plugin/policy/validating/plugin.go. */
  costsAreStrict: {
    since: 32,
    seen: { sentence: "Since 1.32, Kubernetes' own CEL functions have costs in policies, too", upstream: 'kubernetes#127302' },
  },
  /** Source: plugin/cel/compile.go. */
  foundTypesAreShown: {
    since: 32,
    seen: {
      sentence: 'Since 1.32, the error about an expression of a wrong type contains the type that it has',
      upstream: 'kubernetes#127134',
    },
  },
  /** Source: plugin/webhook/predicates/namespace/matcher.go. */
  namespacesAreLookedUpTwice: {
    since: 32,
    seen: undefined,
    unseen: 'Assay assumes that the namespace of an object exists',
  },
  /** Before, the evaluation was empty. Source: plugin/policy/validating/validator.go. */
  denialsAreEvaluations: {
    since: 32,
    seen: undefined,
    unseen: 'no answer of a server contains this part of the decision',
  },
  /** Source: plugin/policy/validating/dispatcher.go. */
  failuresAreCollected: {
    since: 37,
    seen: {
      sentence: 'Since 1.37, the audit annotation `validation_failure` contains all failures, and not only the first',
      upstream: 'kubernetes#140001',
    },
  },
  /** The server declares the CEL types `Object` and `JSONPatch`. Source: plugin/policy/mutating. */
  policiesMutate: {
    since: 32,
    seen: {
      sentence: 'Since 1.32, a server knows MutatingAdmissionPolicies, and evaluates them if their feature gate is on',
      upstream: 'kubernetes#127134',
    },
  },
  /** Source: structured-merge-diff typed/helpers.go. */
  oneKeyIsEnough: {
    since: 34,
    seen: {
      sentence: 'Since 1.34, an item of an apply configuration needs only a single key field of its list',
      upstream: 'kubernetes#133020',
    },
  },
  /** Source: plugin/policy/mutating/patch/smd.go. */
  storedDuplicatesMerge: {
    since: 35,
    seen: {
      sentence: 'Since 1.35, an apply configuration also merges into a list of the stored object that has items with equal keys',
      upstream: 'kubernetes#135560',
    },
  },
  /** The library is json-patch.v4 4.13, before 4.12. */
  patchLibraryIsNewer: {
    since: 35,
    seen: {
      sentence: 'Since 1.35, a JSON patch that replaces a whole object by a scalar is refused',
      upstream: 'json-patch v4.13.0 patch.go',
    },
  },
  /** Before, such a literal made the server panic. Source: pkg/cel/mutation/dynamic/objects.go. */
  nestedLiteralsConvert: {
    since: 35,
    seen: {
      sentence: 'Since 1.35, lists and maps in the value of a JSON patch may contain object literals',
      upstream: 'kubernetes#140419',
    },
  },
  /** Source: pkg/cel/mutation/dynamic/objects.go. */
  nullsInLiteralsAreForeign: {
    since: 37,
    seen: {
      sentence: 'Since 1.37, an object literal must not contain a value that was read from an object and contains nulls',
      upstream: 'kubernetes#138771',
    },
  },
  /** Source: plugin/policy/validating/typechecking.go. */
  unknownParamsAreDeclared: {
    since: 36,
    seen: {
      sentence: 'Since 1.36, type checking knows `params` even if the kind of the parameters has no schema',
      upstream: 'kubernetes#136621',
    },
  },
  /** Source: kubernetes pkg/apis/admissionregistration/validation/validation.go. */
  bindingsAreSpelled: {
    since: 32,
    seen: {
      sentence: 'Since 1.32, errors about bindings contain the correct field name `matchResources`, and not `matchResouces`',
      upstream: 'kubernetes v1.32.0 pkg/apis/admissionregistration/validation/validation.go',
    },
  },
  /** Source: kubernetes pkg/apis/admissionregistration/validation/validation.go. */
  writtenWordsAreShort: {
    since: 34,
    seen: {
      sentence: 'Since 1.34, errors about names and messages of policies begin with `must be` or `must not`',
      upstream: 'kubernetes#132513',
    },
  },
  /** Source: k8s.io/apimachinery/pkg/util/validation/field/errors.go. */
  badValuesAreJson: {
    since: 34,
    seen: { sentence: 'Since 1.34, errors about the write of a policy show values as JSON', upstream: 'kubernetes#132314' },
  },
  /** These errors follow all other errors. Source: kubernetes pkg/apis/admissionregistration/v1/zz_generated.validations.go. */
  bindingsAreDeclarative: {
    since: 36,
    seen: { sentence: 'Since 1.36, errors about missing fields of a binding contain no reason', upstream: 'kubernetes#135763' },
  },
  /** Source: plugin/webhook/generic/webhook.go, with the feature gate ExcludeAdmissionWebhookVirtualResources. */
  reviewsMeetNoWebhooks: {
    since: 37,
    seen: {
      sentence: 'Since 1.37, webhooks are not called for resources that are never stored, such as SubjectAccessReview',
      upstream: 'kubernetes#140019',
    },
  },
  /** Source: kubernetes pkg/apis/admissionregistration/validation/static_suffix.go. */
  staticNamesAreWarnedOf: {
    since: 36,
    seen: { sentence: 'Since 1.36, a server warns of a policy whose name ends in `.static.k8s.io`', upstream: 'kubernetes#137346' },
  },
  /** Source: kubernetes pkg/apis/admissionregistration/validation/static_suffix.go, with the feature gate ManifestBasedAdmissionControlConfig. */
  staticNamesAreRefused: {
    since: 37,
    seen: {
      sentence: 'Since 1.37, a server refuses a policy whose name ends in `.static.k8s.io`',
      upstream: 'kubernetes v1.37.2 pkg/apis/admissionregistration/validation/static_suffix.go',
    },
  },
} as const satisfies Readonly<Record<string, Difference>>;

/** Name of a behaviour of admission policies that differs between Kubernetes minor versions: an entry of {@link POLICY_DIFFERENCES}. */
export type PolicyDifference = keyof typeof POLICY_DIFFERENCES;

/**
 * Returns true if a Kubernetes minor version has the newer behaviour of admission policies that `change` names. `change` is a key of {@link
 * POLICY_DIFFERENCES}.
 */
export function policyHas(minor: Minor, change: PolicyDifference): boolean {
  return minorNumber(minor) >= POLICY_DIFFERENCES[change].since;
}
