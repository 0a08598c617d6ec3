import { yamlDefinition } from '../../../../testing/yaml-definition.ts';
import { properties } from './example.ts';
import type { DocumentsExample } from './example.ts';

const indented = (lines: string, by: number): string => lines.replaceAll(/^(?=.)/gm, ' '.repeat(by));
const document = (kind: string, name: string, spec: string): string =>
  `apiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec:\n${indented(spec, 2)}\n`;
const constraints = (group: string, resources: string): string =>
  `matchConstraints:\n  resourceRules: [{apiGroups: ['${group}'], apiVersions: [v1], operations: [CREATE], resources: [${resources}]}]\n`;

/** Spec of a binding that denies requests. */
export const DENY = 'policyName: few\nvalidationActions: [Deny]';
/** Rules that match the creation of pods. */
export const PODS = constraints('', 'pods');
/** Returns rules that match the creation of objects of a resource in an API group. */
export const matching = constraints;

/** Returns a validating policy and its binding in YAML. */
export const validating = (lines: string, constraint = PODS, binding = DENY): string =>
  [
    document('ValidatingAdmissionPolicy', 'few', constraint + lines),
    document('ValidatingAdmissionPolicyBinding', 'everywhere', binding),
  ].join('---\n');

/** Returns a policy whose message is the value of an expression. */
export const saying = (expression: string, constraint = PODS): string =>
  validating(`validations: [{expression: 'false', messageExpression: "${expression}"}]`, constraint);

/** Returns a mutating policy and its binding in YAML. The mutation is a JSON patch if its expression is a list. */
export function mutating(expression: string, constraint: string, version: 'v1alpha1' | 'v1beta1' = 'v1alpha1'): string {
  const [type, field] = expression.startsWith('[') ? ['JSONPatch', 'jsonPatch'] : ['ApplyConfiguration', 'applyConfiguration'];
  const mutation = `reinvocationPolicy: Never\nmutations: [{patchType: ${type}, ${field}: {expression: "${expression}"}}]`;
  return [
    document('MutatingAdmissionPolicy', 'change', constraint + mutation),
    document('MutatingAdmissionPolicyBinding', 'everywhere', 'policyName: change'),
  ]
    .join('---\n')
    .replaceAll('admissionregistration.k8s.io/v1\n', `admissionregistration.k8s.io/${version}\n`);
}

/** Returns a pod in YAML with the given lines of its spec. */
export const pod = (...lines: readonly string[]): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec:\n${indented(lines.join('\n'), 2)}\n`;
/** Pod with one container, in YAML. */
export const WEB = pod('containers: [{name: web, image: web}]');

/** Returns an example about the creation of a pod. The policy causes the answer. */
export const ofPod = (policy: string, cause: string, more: Partial<DocumentsExample> = {}, object = WEB): DocumentsExample => ({
  documents: [policy, object],
  cause,
  ...more,
});

const WIDGETS = constraints('example.com', 'widgets');
const ON = { featureGates: { MutatingAdmissionPolicy: true } };

/** Returns an example of a mutation of a pod, with the feature gate of mutating policies on. */
export const ofMutatedPod = (expression: string, object = WEB, cause = expression): DocumentsExample =>
  ofPod(mutating(expression, PODS), cause, ON, object);

/** Returns an example of a mutation of a custom resource, with the feature gate of mutating policies on. */
export const ofMutatedWidget = (expression: string, fields: readonly string[], spec: string): DocumentsExample => ({
  documents: [
    yamlDefinition(properties(...fields)),
    mutating(expression, WIDGETS),
    `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a, namespace: shop}\nspec: ${spec}\n`,
  ],
  cause: [...fields, '---', expression, '---', `spec: ${spec}`].join('\n'),
  ...ON,
});
