import { z } from 'zod';
import { customDefinition } from '../../../../testing/custom-definition.ts';

/** Name of the engine in templates that are written in CEL. */
const ENGINE = 'K8sNativeValidation';
const GROUP = 'constraints.gatekeeper.sh';
const ANY_FIELDS = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const named = z.looseObject({ name: z.string(), expression: z.string() });
/** Schema of the CEL source in a template. Source: gatekeeper pkg/drivers/k8scel/schema/schema.go (3.23). */
const celSource = z.looseObject({
  validations: z
    .array(z.looseObject({ expression: z.string(), message: z.string().optional(), messageExpression: z.string().optional() }))
    .default([]),
  failurePolicy: z.enum(['Fail', 'Ignore']).default('Fail'),
  matchCondition: z.array(named).default([]),
  variables: z.array(named).default([]),
});
/** Schema of a ConstraintTemplate (templates.gatekeeper.sh). */
const constraintTemplate = z.looseObject({
  kind: z.literal('ConstraintTemplate'),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    crd: z.looseObject({ spec: z.looseObject({ names: z.looseObject({ kind: z.string().min(1) }) }) }),
    targets: z.array(z.looseObject({ code: z.array(z.looseObject({ engine: z.string(), source: z.unknown() })).default([]) })),
  }),
});
const selector = z.looseObject({}).optional();
/** Schema of a constraint: an object of the kind that a ConstraintTemplate defines. */
const constraint = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z
    .looseObject({
      match: z
        .looseObject({ labelSelector: selector, namespaceSelector: selector, scope: z.string().optional(), source: z.string().optional() })
        .optional(),
    })
    .optional(),
});

/**
 * Policy and binding that Gatekeeper generates from a template and a constraint, with the definition of the constraint's kind. If they
 * cannot be generated, the reason.
 */
export type ConstraintPolicy =
  | { readonly ok: true; readonly definition: object; readonly policy: object; readonly binding: object }
  | { readonly ok: false; readonly notSupported: string };

/**
 * Returns the ValidatingAdmissionPolicy and the binding that Gatekeeper generates from a CEL template and a constraint. Source: gatekeeper
 * pkg/drivers/k8scel/transform/make_vap_objects.go; the match conditions are equivalent.
 */
export function constraintPolicy(template: unknown, constraintObject: unknown): ConstraintPolicy {
  const read = constraintTemplate.safeParse(template);
  if (!read.success) return { ok: false, notSupported: 'the template is no ConstraintTemplate of a form that is known here' };
  const { metadata, spec } = read.data;
  const code = spec.targets.flatMap((target) => target.code);
  const written = code.find(({ engine }) => engine === ENGINE);
  if (written === undefined) return { ok: false, notSupported: `the template is not written in CEL (${ENGINE})` };
  const source = celSource.safeParse(written.source);
  if (!source.success) return { ok: false, notSupported: 'the template has CEL of a form that is not known here' };
  const bound = constraint.safeParse(constraintObject);
  const { kind } = spec.crd.spec.names;
  if (!bound.success || bound.data.kind !== kind) return { ok: false, notSupported: `the constraint is no ${kind}` };
  const match = bound.data.spec?.match;
  for (const field of ['scope', 'source'] as const) {
    const value = match?.[field];
    if (value !== undefined && value !== '' && value !== '*' && value !== 'All')
      return { ok: false, notSupported: `match.${field} of the constraint has no place in an admission policy` };
  }
  const name = `gatekeeper-${metadata.name}`;
  const { validations, failurePolicy, matchCondition, variables } = source.data;
  const version = bound.data.apiVersion.split('/')[1] ?? 'v1beta1';
  return {
    ok: true,
    definition: customDefinition({ group: GROUP, kind, version, scope: 'Cluster', schema: ANY_FIELDS }),
    policy: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        paramKind: { apiVersion: `${GROUP}/${version}`, kind },
        matchConstraints: {
          // Gatekeeper's policies apply to creates and updates, but `gator verify` also tests deletions.
          resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE', 'UPDATE', 'DELETE'] }],
        },
        matchConditions: [...matchCondition, ...MATCHERS],
        variables: [...VARIABLES, ...variables],
        validations,
        failurePolicy,
      },
    },
    binding: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: `${name}-${bound.data.metadata.name}` },
      spec: {
        policyName: name,
        paramRef: { name: bound.data.metadata.name, parameterNotFoundAction: 'Allow' },
        matchResources: {
          ...(match?.labelSelector && { objectSelector: match.labelSelector }),
          ...(match?.namespaceSelector && { namespaceSelector: match.namespaceSelector }),
        },
        validationActions: ['Deny'],
      },
    },
  };
}

/** Returns a CEL expression that is true if the constraint does not set `field` in its `match`, or if `condition` is true. */
const where = (field: string, condition: string): string =>
  `!has(params.spec) || !has(params.spec.match) || !has(params.spec.match.${field}) || ${condition}`;
/** Returns a CEL expression that matches a name against a pattern. A star at the beginning or end of the pattern matches any text. */
const fits = (name: string, pattern: string): string => `string(${name}).matches('^' + string(${pattern}).replace('*', '.*') + '$')`;
/**
 * Returns a CEL expression that is true if `condition` is true for the object or for the old object. An object without a namespace always
 * matches.
 */
const ofNamespace = (condition: string): string =>
  `[object, oldObject].exists(one, one != null && (!has(one.metadata.namespace) || one.metadata.namespace == '' || ${condition}))`;

const MATCHERS = [
  {
    name: 'gatekeeper_internal_match_excluded_namespaces',
    expression: where(
      'excludedNamespaces',
      ofNamespace(`!params.spec.match.excludedNamespaces.exists(pattern, ${fits('one.metadata.namespace', 'pattern')})`),
    ),
  },
  {
    name: 'gatekeeper_internal_match_namespaces',
    expression: where(
      'namespaces',
      ofNamespace(`params.spec.match.namespaces.exists(pattern, ${fits('one.metadata.namespace', 'pattern')})`),
    ),
  },
  {
    name: 'gatekeeper_internal_match_name',
    expression: where(
      'name',
      '[object, oldObject].exists(one, one != null && (' +
        `has(one.metadata.name) && ${fits('one.metadata.name', 'params.spec.match.name')} || ` +
        "has(one.metadata.generateName) && one.metadata.generateName != '' && params.spec.match.name.endsWith('*') && " +
        `${fits('one.metadata.generateName', 'params.spec.match.name')}))`,
    ),
  },
  {
    name: 'gatekeeper_internal_match_kinds',
    expression: where(
      'kinds',
      'params.spec.match.kinds.exists(one, ' +
        "(!has(one.kinds) || one.kinds.size() == 0 || '*' in one.kinds || request.kind.kind in one.kinds) && " +
        "(!has(one.apiGroups) || one.apiGroups.size() == 0 || '*' in one.apiGroups || request.kind.group in one.apiGroups))",
    ),
  },
];

const VARIABLES = [
  { name: 'anyObject', expression: "request.operation == 'DELETE' && object == null ? oldObject : object" },
  { name: 'params', expression: '!has(params.spec) || !has(params.spec.parameters) ? null : params.spec.parameters' },
];
