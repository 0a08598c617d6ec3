import { checkDns1123Label, checkDns1123Subdomain } from '#kube';
import { LIST_CREATION } from '../step-prices.ts';
import {
  AUTHORIZER,
  AuthorizerValue,
  DECISION,
  DecisionValue,
  GROUP_CHECK,
  GroupCheckValue,
  PATH_CHECK,
  PathCheckValue,
  RESOURCE_CHECK,
  ResourceCheckValue,
} from '../../values/authorization.ts';
import { CelError, noSuchOverload } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { BOOL, STRING } from '../../values/types/type.ts';
import type { CheckedResource } from '../../values/authorization.ts';
import type { CelType } from '../../values/types/type.ts';
import type { FunctionDeclaration, PlainCall } from '../define.ts';
import { nominal, oneUnit, scan } from '../formulas.ts';
import { linear, memberOverload } from '../overload.ts';
import { estimateOf, fixed, measureOf, scaled, size, sum } from '../price.ts';

/** Minor number of the compatibility version that introduced the authorizer library and its selectors. */
const since = 27;
const selectorsSince = 31;

/** Cost of one authorization check. */
const CHECK_UNITS = fixed(350_000);
/**
 * Maximum number of requirements per character of a selector: each requirement has at least two characters. The cost of a requirement is
 * the cost of creating a struct and a list.
 */
const REQUIREMENTS_PER_CHARACTER = 0.5;
const UNITS_PER_REQUIREMENT = 50;

/**
 * Returns an implementation for receivers of one class and string arguments. The implementation tests the types, because the types of dyn
 * arguments are known only at run time.
 */
function on<T extends CelValue & object>(
  kind: abstract new (...args: never[]) => T,
  call: (receiver: T, ...texts: string[]) => CelValue,
): PlainCall {
  return (receiver, ...texts) => {
    if (!(receiver instanceof kind)) return noSuchOverload(receiver);
    return texts.every((text) => typeof text === 'string') ? call(receiver, ...texts) : noSuchOverload(receiver);
  };
}

const isBlank = (text: string): boolean => text.trim() === '';

const path = on(AuthorizerValue, (authorizer, to = '') =>
  isBlank(to) ? new CelError('path must not be empty') : new PathCheckValue(authorizer, to),
);
const group = on(AuthorizerValue, (authorizer, name = '') => new GroupCheckValue(authorizer, name));
const resource = on(GroupCheckValue, ({ authorizer, group }, name = '') =>
  isBlank(name) ? new CelError('resource must not be empty') : authorizer.resource({ group, resource: name }),
);
const narrowed = (field: keyof CheckedResource): PlainCall => on(ResourceCheckValue, (check, text = '') => check.with({ [field]: text }));

/**
 * Returns an authorizer for the service account `name` in `namespace`, or an error if the name or the namespace is invalid. Source:
 * k8s.io/apiserver/pkg/authentication/serviceaccount/util.go `UserInfo` (1.37).
 */
const serviceAccount = on(AuthorizerValue, ({ authorize }, namespace = '', name = '') => {
  if (checkDns1123Subdomain(name).length > 0) return new CelError('Invalid service account name');
  if (checkDns1123Label(namespace).length > 0) return new CelError('Invalid service account namespace');
  const username = `system:serviceaccount:${namespace}:${name}`;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return new AuthorizerValue({ username, uid: '', groups }, authorize);
});

const checkPath = on(
  PathCheckValue,
  ({ authorizer: { user, authorize }, path }, verb = '') => new DecisionValue(authorize({ kind: 'path', user, verb, path })),
);
const checkResource = on(
  ResourceCheckValue,
  ({ authorizer: { user, authorize }, resource }, verb = '') => new DecisionValue(authorize({ kind: 'resource', user, verb, ...resource })),
);

/** Growth of functions that read text arguments. It does not include the growth of the authorizer's check. */
const TEXTS = linear('k8s.io/apiserver/pkg/cel/library/authz.go (1.37)');

type Signature = readonly [id: string, parameters: readonly CelType[], result: CelType, call: PlainCall];

function declare(name: string, doc: string, [id, parameters, result, call]: Signature): FunctionDeclaration {
  return {
    name,
    library: 'kubernetes.authz',
    doc: `${doc} Only for admission policies: rules have no authorizer.`,
    examples: [],
    measure: oneUnit,
    overloads: [memberOverload(id, parameters, result, { since, estimate: nominal, measure: oneUnit, growth: TEXTS, call })],
  };
}

const SELECTOR_UNITS = sum(fixed(LIST_CREATION), scan(size(1)), scaled(UNITS_PER_REQUIREMENT, scaled(REQUIREMENTS_PER_CHARACTER, size(1))));

function selector(name: 'fieldSelector' | 'labelSelector', id: string): FunctionDeclaration {
  const overload = memberOverload(id, [RESOURCE_CHECK, STRING], RESOURCE_CHECK, {
    since: selectorsSince,
    estimate: estimateOf(SELECTOR_UNITS),
    measure: measureOf(SELECTOR_UNITS),
    growth: TEXTS,
    call: narrowed(name),
  });
  return {
    name,
    library: 'kubernetes.authzSelectors',
    doc: 'A check of the objects that a selector selects. Only for admission policies: rules have no authorizer.',
    examples: [],
    measure: measureOf(SELECTOR_UNITS),
    overloads: [overload],
  };
}

const CHECK: FunctionDeclaration = {
  name: 'check',
  library: 'kubernetes.authz',
  doc: 'The decision on a verb. Only for admission policies: rules have no authorizer.',
  examples: [],
  measure: measureOf(CHECK_UNITS),
  overloads: (
    [
      ['pathcheck_check', PATH_CHECK, checkPath],
      ['resourcecheck_check', RESOURCE_CHECK, checkResource],
    ] as const
  ).map(([id, type, call]) =>
    memberOverload(id, [type, STRING], DECISION, {
      since,
      estimate: estimateOf(CHECK_UNITS),
      measure: measureOf(CHECK_UNITS),
      growth: TEXTS,
      call,
    }),
  ),
};

/** Declarations of the authorization functions. Source: k8s.io/apiserver/pkg/cel/library/authz.go (1.37). */
export const AUTHORIZER_FUNCTIONS: readonly FunctionDeclaration[] = [
  declare('path', 'A check of a path.', ['authorizer_path', [AUTHORIZER, STRING], PATH_CHECK, path]),
  declare('group', 'A check of an API group.', ['authorizer_group', [AUTHORIZER, STRING], GROUP_CHECK, group]),
  declare('serviceAccount', 'The authorizer for a service account.', [
    'authorizer_serviceaccount',
    [AUTHORIZER, STRING, STRING],
    AUTHORIZER,
    serviceAccount,
  ]),
  declare('resource', 'A check of a resource.', ['groupcheck_resource', [GROUP_CHECK, STRING], RESOURCE_CHECK, resource]),
  declare('subresource', 'A check of a subresource.', [
    'resourcecheck_subresource',
    [RESOURCE_CHECK, STRING],
    RESOURCE_CHECK,
    narrowed('subresource'),
  ]),
  declare('namespace', 'A check within a namespace.', [
    'resourcecheck_namespace',
    [RESOURCE_CHECK, STRING],
    RESOURCE_CHECK,
    narrowed('namespace'),
  ]),
  declare('name', 'A check of one object.', ['resourcecheck_name', [RESOURCE_CHECK, STRING], RESOURCE_CHECK, narrowed('name')]),
  CHECK,
  declare('errored', 'Whether the check failed.', [
    'decision_errored',
    [DECISION],
    BOOL,
    on(DecisionValue, ({ decision }) => decision.error !== undefined),
  ]),
  declare('error', 'Why the check failed.', [
    'decision_error',
    [DECISION],
    STRING,
    on(DecisionValue, ({ decision }) => decision.error ?? ''),
  ]),
  declare('allowed', 'True if the verb is allowed.', [
    'decision_allowed',
    [DECISION],
    BOOL,
    on(DecisionValue, ({ decision }) => decision.allowed),
  ]),
  declare('reason', 'Why the verb is allowed or not.', [
    'decision_reason',
    [DECISION],
    STRING,
    on(DecisionValue, ({ decision }) => decision.reason),
  ]),
];

/**
 * Declarations of the authorizer's functions `fieldSelector` and `labelSelector`. They are separate because they do not directly follow the
 * authorizer's other functions in the order of all functions. Source: k8s.io/apiserver/pkg/cel/library/authz.go (1.37).
 */
export const AUTHORIZER_SELECTORS: readonly FunctionDeclaration[] = [
  selector('fieldSelector', 'authorizer_fieldselector'),
  selector('labelSelector', 'authorizer_labelselector'),
];
