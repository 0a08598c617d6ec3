/** A case of the policy protocol: policies with bindings, and the object of a request. */
export interface PodCase {
  readonly id: string;
  readonly kind: 'admit';
  readonly policies: readonly object[];
  readonly bindings: readonly object[];
  readonly object: object;
}

/** Returns a pod with so many containers. */
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

/** Validations of the kinds that policies over pods hold most of, in turn. */
const VALIDATIONS = [
  "object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))",
  "object.spec.containers.all(c, has(c.resources.limits) && 'memory' in c.resources.limits)",
  'object.spec.containers.all(c, has(c.securityContext) && c.securityContext.allowPrivilegeEscalation == false)',
  "has(object.metadata.labels) && 'app' in object.metadata.labels",
] as const;

/** Returns so many policies, each with one validation, of four kinds in turn. */
export function policiesOver(count: number): readonly object[] {
  return Array.from({ length: count }, (_, i) =>
    policyOf(`policy-${i}`, { validations: [{ expression: VALIDATIONS[i % VALIDATIONS.length] ?? 'true' }] }),
  );
}

/** A list that validations look at: as dear to make as what policies put in variables. */
const IMAGES = "object.spec.containers.filter(c, !c.image.endsWith(':latest')).map(c, c.image)";

/** Returns one policy with so many validations over a list, that is made once in a variable or anew by each. */
export function policyOverImages(validations: number, shared: boolean): object {
  const images = shared ? 'variables.images' : IMAGES;
  return policyOf('images', {
    ...(shared && { variables: [{ name: 'images', expression: IMAGES }] }),
    validations: Array.from({ length: validations }, (_, i) => ({ expression: `${images}.size() >= ${i % 2}` })),
  });
}

/** Returns a case about policies that are all bound. */
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
