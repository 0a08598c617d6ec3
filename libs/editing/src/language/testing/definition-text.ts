/**
 * Returns a definition in YAML with one rule for `spec`. The caller indents the lines of the rule as if the rule's list entry began at
 * column 0.
 */
export function definitionWith(rule: string): string {
  const entry = rule.replaceAll('\n', '\n              ');
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - ${entry}
            properties:
              name: {type: string, maxLength: 20, description: What it is called}
              count: {type: integer}
              max-count: {type: integer}
              size: {type: string, enum: [small, large]}
              list:
                type: array
                items:
                  type: object
                  properties:
                    key: {type: string}
                    value: {type: integer}
              labels:
                type: object
                additionalProperties: {type: string}
`;
}
