/** A definition with one rule over a list, small enough to be written here. */
export const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              sizes: {
                type: 'array',
                maxItems: 100,
                items: { type: 'integer' },
                'x-kubernetes-validations': [{ rule: 'self.all(s, s > 0)', message: 'sizes are positive' }],
              },
            },
          },
        },
      },
    ],
  },
};

/** An object of {@link widgets}. */
export const widget = (name: string, sizes: unknown[]) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  sizes,
});
