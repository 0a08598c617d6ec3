import { FIRST_TEXTS } from './first-texts.ts';
import type { Pane, Texts } from './texts.ts';

/** Text that an empty pane shows instead of documents: what belongs there. */
export const PANE_HINTS: Readonly<Record<Pane, string>> = {
  definitions: 'Write or drop a CustomResourceDefinition, as YAML or JSON.',
  objects: 'Write or drop objects. A line --- separates them.',
  old: 'Write objects as the cluster stores them. An object of the same kind and name in Objects then updates the stored one.',
  policies: 'Write a ValidatingAdmissionPolicy or MutatingAdmissionPolicy, with its binding.',
  changed: 'Write a new version of your definition. The tab What if shows its effect on your objects.',
};

const POLICY = `# Refuses each Widget without tags.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: widgets-have-tags }
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [example.com]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [widgets]
  validations:
    - expression: size(object.spec.tags) > 0
      message: a widget needs at least one tag
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: widgets-have-tags }
spec:
  policyName: widgets-have-tags
  validationActions: [Deny]
`;

const STORED = `# The first Widget as it is stored. The one in Objects is an update of it.
apiVersion: example.com/v1
kind: Widget
metadata: { name: first }
spec:
  replicas: 3
  minReplicas: 3
  tags: [team-a]
`;

/**
 * Returns the text that a pane gets if its user asks for an example. A changed definition begins as a copy of the present definition. The
 * other examples belong to the page's first example.
 */
export function paneExample(pane: Pane, { definitions }: Pick<Texts, 'definitions'>): string {
  switch (pane) {
    case 'policies':
      return POLICY;
    case 'old':
      return STORED;
    case 'changed':
      return definitions.trim() === '' ? FIRST_TEXTS.definitions : definitions;
    case 'definitions':
    case 'objects':
      return FIRST_TEXTS[pane];
  }
}
