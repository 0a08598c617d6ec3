import type { Minor } from '#kube';
import { yamlDefinition } from '../../../../testing/yaml-definition.ts';

/** A message that people search for, with a small case that produces it. */
export interface MessageCase {
  /** Message that the case produces, or the part of it for which people search. */
  readonly message: string;
  /** Lines in `documents` that cause the message. */
  readonly cause: string;
  /** YAML documents of the case: definitions, policies and objects. */
  readonly documents: readonly string[];
  /** Stored definition. If it is given, the only document of the case is an update of this definition. */
  readonly stored?: string;
  readonly kubernetesVersion?: Minor;
  readonly meaning: string;
  readonly remedy: string;
}

/** Schema of `spec` that declares no fields. */
export const PLAIN = 'type: object';
/** Returns a Widget in YAML. `spec` contains the lines that follow the metadata. */
export const widget = (spec: string): string =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a, namespace: default}\n${spec}\n`;
/** Returns, as YAML, the batch item for an update of an object. */
export const update = (object: string, old: string): string =>
  [`object:`, object.trimEnd().replaceAll(/^/gm, '  '), `oldObject:`, old.trimEnd().replaceAll(/^/gm, '  '), ''].join('\n');

type Words = Pick<MessageCase, 'message' | 'meaning' | 'remedy'>;
/** Returns a case about a definition. The schema of `spec` causes the message. */
export const ofSchema = (cause: string, words: Words, more: Partial<MessageCase> = {}): MessageCase => ({
  cause,
  documents: [yamlDefinition(cause)],
  ...words,
  ...more,
});
/** Returns a case about an object. The cause is the schema of `spec`, together with the lines of the object. */
export const ofObject = (schema: string, spec: string, words: Words): MessageCase => ({
  cause: `${schema}\n---\n${spec}`,
  documents: [yamlDefinition(schema), widget(spec)],
  ...words,
});
/** Returns a case about a definition. The case replaces the line `line` of the definition by `changed`, which causes the message. */
export const ofLine = (line: string, changed: string, words: Words): MessageCase => ({
  cause: changed,
  documents: [yamlDefinition(PLAIN).replace(line, changed)],
  ...words,
});

/** A Deployment in YAML with nine replicas, which the example policies of the cases check. */
export const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 9
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
`;
/** Default spec of the binding of the example policy, in YAML. */
export const BINDING = 'spec: {policyName: few, validationActions: [Deny]}';
/** Returns a policy for Deployments with one validation, and its binding. */
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
/** Returns a case about a Deployment and its policy. The validation of the policy causes the message. */
export const ofPolicy = (validation: string, words: Words): MessageCase => ({
  cause: validation,
  documents: [`${policy(validation)}---\n${DEPLOYMENT}`],
  ...words,
});
