import { customDefinition } from '../../../testing/custom-definition.ts';

const sizes = {
  type: 'array',
  maxItems: 100,
  items: { type: 'integer' },
  'x-kubernetes-validations': [{ rule: 'self.all(s, s > 0)', message: 'sizes are positive' }],
};

/** Definition with one validation rule on a list. */
export const widgets = customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { sizes } } });

/** Returns an object of {@link widgets}. */
export const widget = (name: string, sizes: unknown[]) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  sizes,
});
