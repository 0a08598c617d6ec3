import { customDefinition } from '../../../testing/custom-definition.ts';
import { DEEP_EQUALITY, equalLists, LISTS } from '../../../testing/deep-equality.ts';

const schemaWith = (rules: number) => ({
  type: 'object',
  'x-kubernetes-validations': Array.from({ length: rules }, () => ({ rule: DEEP_EQUALITY })),
  properties: { lists: LISTS },
});

/** Definition with a rule that runs for a long time. */
export const slow = customDefinition({ kind: 'Slow', scope: 'Cluster', schema: schemaWith(1) });

/** Definition like {@link slow} with a rule that runs a hundred times as long. No test waits for the end of this rule. */
export const endless = customDefinition({ kind: 'Slow', scope: 'Cluster', schema: schemaWith(100) });

/** Returns an object of {@link slow} or {@link endless}. With 900 lists, {@link slow} takes some seconds. */
export const slowObject = (name: string, lists: number) => ({
  apiVersion: 'example.com/v1',
  kind: 'Slow',
  metadata: { name },
  lists: equalLists(lists),
});
