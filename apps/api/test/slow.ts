/** Equality is priced by the outermost length: this rule is cheap on paper and runs for a long time. */
export const slow = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'slows.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'slows', kind: 'Slow' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            'x-kubernetes-validations': [{ rule: 'self.lists.all(a, self.lists.all(b, a == b))' }],
            properties: {
              lists: {
                type: 'array',
                maxItems: 1000,
                items: { type: 'array', maxItems: 1, items: { type: 'array', maxItems: 400, items: { type: 'integer' } } },
              },
            },
          },
        },
      },
    ],
  },
};
/** An object of {@link slow}: 900 lists take some seconds. */
export const slowObject = (name: string, lists: number) => ({
  apiVersion: 'example.com/v1',
  kind: 'Slow',
  metadata: { name },
  lists: Array.from({ length: lists }, () => [Array.from({ length: 300 }, (_, i) => i)]),
});
