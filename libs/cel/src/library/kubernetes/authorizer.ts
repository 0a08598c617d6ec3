import { LIST_CREATION } from '../step-prices.ts';
import { NO_SUCH_OVERLOAD } from '../../values/errors.ts';
import { BOOL, objectType, STRING } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import type { FunctionDeclaration, PlainCall } from '../define.ts';
import { nominal, oneUnit, scan } from '../formulas.ts';
import { memberOverload } from '../overload.ts';
import { estimateOf, fixed, measureOf, scaled, size, sum } from '../price.ts';

const AUTHORIZER = objectType('kubernetes.authorization.Authorizer');
const PATH_CHECK = objectType('kubernetes.authorization.PathCheck');
const GROUP_CHECK = objectType('kubernetes.authorization.GroupCheck');
const RESOURCE_CHECK = objectType('kubernetes.authorization.ResourceCheck');
const DECISION = objectType('kubernetes.authorization.Decision');

/** Compatibility versions of the library and of its selectors. */
const since = 27;
const selectorsSince = 31;

/** What a check costs. */
const CHECK_UNITS = fixed(350_000);
/** A selector has at most one requirement in two characters, each of them a struct and a list. */
const REQUIREMENTS_PER_CHARACTER = 0.5;
const UNITS_PER_REQUIREMENT = 50;

/** Custom resources have no authorizer, so that no expression ever gets hold of a receiver. */
const unusable: PlainCall = () => NO_SUCH_OVERLOAD;

function declare(
  name: string,
  doc: string,
  overloads: readonly (readonly [id: string, parameters: readonly CelType[], result: CelType])[],
): FunctionDeclaration {
  return {
    name,
    library: 'kubernetes.authz',
    doc: `${doc} Declared, but of no use in custom resources, which have no authorizer.`,
    examples: [],
    measure: oneUnit,
    overloads: overloads.map(([id, parameters, result]) =>
      memberOverload(id, parameters, result, { since, estimate: nominal, measure: oneUnit, call: unusable }),
    ),
  };
}

const SELECTOR_UNITS = sum(fixed(LIST_CREATION), scan(size(1)), scaled(UNITS_PER_REQUIREMENT, scaled(REQUIREMENTS_PER_CHARACTER, size(1))));

function selector(name: string, id: string): FunctionDeclaration {
  const overload = memberOverload(id, [RESOURCE_CHECK, STRING], RESOURCE_CHECK, {
    since: selectorsSince,
    estimate: estimateOf(SELECTOR_UNITS),
    call: unusable,
  });
  return {
    name,
    library: 'kubernetes.authzSelectors',
    doc: 'A check narrowed by a selector. Of no use in custom resources.',
    examples: [],
    overloads: [overload],
  };
}

const CHECK: FunctionDeclaration = {
  name: 'check',
  library: 'kubernetes.authz',
  doc: 'The decision on a verb. Declared, but of no use in custom resources, which have no authorizer.',
  examples: [],
  measure: measureOf(CHECK_UNITS),
  overloads: [PATH_CHECK, RESOURCE_CHECK].map((type) =>
    memberOverload(type === PATH_CHECK ? 'pathcheck_check' : 'resourcecheck_check', [type, STRING], DECISION, {
      since,
      estimate: estimateOf(CHECK_UNITS),
      measure: measureOf(CHECK_UNITS),
      call: unusable,
    }),
  ),
};

/** Authorization. Source: k8s.io/apiserver/pkg/cel/library/authz.go (1.37). */
export const AUTHORIZER_FUNCTIONS: readonly FunctionDeclaration[] = [
  declare('path', 'A check of a path.', [['authorizer_path', [AUTHORIZER, STRING], PATH_CHECK]]),
  declare('group', 'A check of an API group.', [['authorizer_group', [AUTHORIZER, STRING], GROUP_CHECK]]),
  declare('serviceAccount', 'The authorizer for a service account.', [
    ['authorizer_serviceaccount', [AUTHORIZER, STRING, STRING], AUTHORIZER],
  ]),
  declare('resource', 'A check of a resource.', [['groupcheck_resource', [GROUP_CHECK, STRING], RESOURCE_CHECK]]),
  declare('subresource', 'A check of a subresource.', [['resourcecheck_subresource', [RESOURCE_CHECK, STRING], RESOURCE_CHECK]]),
  declare('namespace', 'A check within a namespace.', [['resourcecheck_namespace', [RESOURCE_CHECK, STRING], RESOURCE_CHECK]]),
  declare('name', 'A check of one object.', [['resourcecheck_name', [RESOURCE_CHECK, STRING], RESOURCE_CHECK]]),
  CHECK,
  declare('errored', 'Whether the check failed.', [['decision_errored', [DECISION], BOOL]]),
  declare('error', 'Why the check failed.', [['decision_error', [DECISION], STRING]]),
  declare('allowed', 'Whether the verb is allowed.', [['decision_allowed', [DECISION], BOOL]]),
  declare('reason', 'Why the verb is allowed or not.', [['decision_reason', [DECISION], STRING]]),
];

/** The authorizer's field and label selectors, declared beside the rest of the library. Source: k8s.io/apiserver/pkg/cel/library/authz.go (1.37). */
export const AUTHORIZER_SELECTORS: readonly FunctionDeclaration[] = [
  selector('fieldSelector', 'authorizer_fieldselector'),
  selector('labelSelector', 'authorizer_labelselector'),
];
