import { yamlDefinition } from '../../../../testing/yaml-definition.ts';

/** A message that people search for, with a small case that produces it. */
export interface MessageCase {
  /** The message as the case produces it, or the part of it that people search for. */
  readonly message: string;
  /** The lines of the documents that cause the message. */
  readonly cause: string;
  /** The documents: definitions, policies and objects. */
  readonly documents: readonly string[];
  /** The stored definition: the only document is an update of it. */
  readonly stored?: string;
  readonly kubernetesVersion?: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** A schema of `spec` without any field. */
export const PLAIN = 'type: object';
/** Returns an object with these lines after its metadata. */
export const widget = (spec: string): string =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a, namespace: default}\n${spec}\n`;
/** Returns an update of an object. */
export const update = (object: string, old: string): string =>
  [`object:`, object.trimEnd().replaceAll(/^/gm, '  '), `oldObject:`, old.trimEnd().replaceAll(/^/gm, '  '), ''].join('\n');

type Words = Pick<MessageCase, 'message' | 'meaning' | 'remedy'>;
/** Returns a message about a definition, whose schema of `spec` is the cause. */
export const ofSchema = (cause: string, words: Words, more: Partial<MessageCase> = {}): MessageCase => ({
  cause,
  documents: [yamlDefinition(cause)],
  ...words,
  ...more,
});
/** Returns a message about an object; the cause is the schema of `spec`, then the lines of the object. */
export const ofObject = (schema: string, spec: string, words: Words): MessageCase => ({
  cause: `${schema}\n---\n${spec}`,
  documents: [yamlDefinition(schema), widget(spec)],
  ...words,
});
/** Returns a message about a definition of which one line is another. */
export const ofLine = (line: string, changed: string, words: Words): MessageCase => ({
  cause: changed,
  documents: [yamlDefinition(PLAIN).replace(line, changed)],
  ...words,
});

/** A Deployment with nine replicas. */
export const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 9
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
`;
/** The lines of the binding of a policy. */
export const BINDING = 'spec: {policyName: few, validationActions: [Deny]}';
/** Returns a policy over Deployments with one validation, and its binding. */
export const policy = (validation: string, binding = BINDING, paramKind = ''): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
${paramKind}  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
${validation.replaceAll(/^/gm, '  ')}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: everywhere}
${binding}
`;
/** Returns a message about a Deployment or its policy, whose validation is the cause. */
export const ofPolicy = (validation: string, words: Words): MessageCase => ({
  cause: validation,
  documents: [`${policy(validation)}---\n${DEPLOYMENT}`],
  ...words,
});
