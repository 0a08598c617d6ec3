import { customDefinition } from '../../../testing/custom-definition.ts';
import { DEEP_EQUALITY, equalLists, LISTS } from '../../../testing/deep-equality.ts';

const schemaWith = (rules: number) => ({
  type: 'object',
  'x-kubernetes-validations': Array.from({ length: rules }, () => ({ rule: DEEP_EQUALITY })),
  properties: { lists: LISTS },
});

/** A definition whose rule runs for a long time. */
export const slow = customDefinition({ kind: 'Slow', scope: 'Cluster', schema: schemaWith(1) });

/** The same with a rule that runs for a hundred times as long: no test waits for its end. */
export const endless = customDefinition({ kind: 'Slow', scope: 'Cluster', schema: schemaWith(100) });

/** Returns an object of {@link slow} or {@link endless}: 900 lists take some seconds of the first. */
export const slowObject = (name: string, lists: number) => ({
  apiVersion: 'example.com/v1',
  kind: 'Slow',
  metadata: { name },
  lists: equalLists(lists),
});
