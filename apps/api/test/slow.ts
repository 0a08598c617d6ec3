import { customDefinition } from '../../../testing/custom-definition.ts';
import { DEEP_EQUALITY, equalLists, LISTS } from '../../../testing/deep-equality.ts';

const schema = { type: 'object', 'x-kubernetes-validations': [{ rule: DEEP_EQUALITY }], properties: { lists: LISTS } };

/** A definition whose rule runs for a long time. */
export const slow = customDefinition({ kind: 'Slow', scope: 'Cluster', schema });

/** An object of {@link slow}: 900 lists take some seconds. */
export const slowObject = (name: string, lists: number) => ({
  apiVersion: 'example.com/v1',
  kind: 'Slow',
  metadata: { name },
  lists: equalLists(lists),
});
