import { NO_TEXTS } from './texts.ts';
import type { Texts } from './texts.ts';

/** Texts for the first visit: a definition with two rules, an object that fails a rule, and a valid object. */
export const FIRST_TEXTS: Texts = {
  ...NO_TEXTS,
  definitions: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Widget, plural: widgets }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              x-kubernetes-validations:
                - rule: self.minReplicas <= self.replicas
                  message: replicas must not be below minReplicas
                - rule: self.tags.all(t, t.startsWith('team-'))
                  message: every tag begins with team-
              type: object
              required: [replicas, minReplicas]
              properties:
                replicas:
                  type: integer
                minReplicas:
                  type: integer
                  default: 1
                tags:
                  type: array
                  default: []
                  maxItems: 20
                  items: { type: string, maxLength: 63 }
`,
  objects: `# Kubernetes refuses this. Try replicas: 4
apiVersion: example.com/v1
kind: Widget
metadata: { name: first }
spec:
  replicas: 2
  minReplicas: 3
  tags: [team-a]
---
# Kubernetes accepts this.
apiVersion: example.com/v1
kind: Widget
metadata: { name: second }
spec:
  replicas: 2
`,
};
