const HEAD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
`;

/** Returns the definition of the kind `Widget` as YAML. The lines of `schema`, the schema of `spec`, begin at column 0. */
export const yamlDefinition = (schema: string): string => `${HEAD}${schema.replaceAll(/^(?=.)/gm, ' '.repeat(12))}\n`;
