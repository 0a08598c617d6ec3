/** Case of the policy protocol: policies with bindings, and the object of the admission request. */
export interface PodCase {
  readonly id: string;
  readonly kind: 'admit';
  readonly policies: readonly object[];
  readonly bindings: readonly object[];
  readonly object: object;
}

/** Returns a pod with the given number of containers. */
export function podOf(containers: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'front', namespace: 'shop', labels: { app: 'front' } },
    spec: {
      containers: Array.from({ length: containers }, (_, i) => ({
        name: `container-${i}`,
        image: `registry.example.com/shop/front-${i}:1.2.3`,
        resources: { limits: { cpu: '500m', memory: '64Mi' } },
        securityContext: { allowPrivilegeEscalation: false },
      })),
    },
  };
}

/** Validations of the kinds that occur most often in policies for pods. They are used in turn. */
const VALIDATIONS = [
  "object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))",
  "object.spec.containers.all(c, has(c.resources.limits) && 'memory' in c.resources.limits)",
  'object.spec.containers.all(c, has(c.securityContext) && c.securityContext.allowPrivilegeEscalation == false)',
  "has(object.metadata.labels) && 'app' in object.metadata.labels",
] as const;

/** Returns `count` policies with one validation each. Four kinds of validations are used in turn. */
export function policiesOver(count: number): readonly object[] {
  return Array.from({ length: count }, (_, i) =>
    policyOf(`policy-${i}`, { validations: [{ expression: VALIDATIONS[i % VALIDATIONS.length] ?? 'true' }] }),
  );
}

/** Expression of a list that validations use. Its cost is typical of expressions that policies store in variables. */
const IMAGES = "object.spec.containers.filter(c, !c.image.endsWith(':latest')).map(c, c.image)";

/**
 * Returns one policy with the given number of validations over a list. If the list is shared, a variable computes the list once. Otherwise,
 * each validation computes the list.
 */
export function policyOverImages(validations: number, list: 'shared' | 'repeated'): object {
  const isShared = list === 'shared';
  const images = isShared ? 'variables.images' : IMAGES;
  return policyOf('images', {
    ...(isShared && { variables: [{ name: 'images', expression: IMAGES }] }),
    validations: Array.from({ length: validations }, (_, i) => ({ expression: `${images}.size() >= ${i % 2}` })),
  });
}

/** Returns a case with policies that all have a binding. */
export function podCase(id: string, policies: readonly object[], object: object): PodCase {
  const bindings = policies.map((policy) => {
    const { name } = (policy as { readonly metadata: { readonly name: string } }).metadata;
    return {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: `${name}-binding` },
      spec: { policyName: name, validationActions: ['Deny'] },
    };
  });
  return { id, kind: 'admit', policies, bindings, object };
}

function policyOf(name: string, spec: object): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }] },
      ...spec,
    },
  };
}
