import { customDefinition } from '../../../testing/custom-definition.ts';

/** Length of the longest list that an object may have. The rule takes about 1.5 ms for this length. */
export const MAX_LIST_LENGTH = 300;

/**
 * Returns a definition whose rule takes time proportional to the square of an object's list length. Tests can therefore create objects of
 * any cost with one kind.
 */
export function pricedDefinition(kind: string): unknown {
  const list = {
    type: 'array',
    maxItems: MAX_LIST_LENGTH,
    items: { type: 'integer' },
    'x-kubernetes-validations': [{ rule: 'self.all(a, self.all(b, a <= b || b <= a))' }],
  };
  return customDefinition({ group: 'priced.assay.example.com', kind, scope: 'Cluster', schema: { type: 'object', properties: { list } } });
}

/** Returns the JSON text of an object with a list of `listLength` integers. */
export function pricedObject(kind: string, listLength: number): string {
  const list = Array.from({ length: listLength }, (_, i) => i).join(',');
  return `{"apiVersion":"priced.assay.example.com/v1","kind":"${kind}","metadata":{"name":"x"},"list":[${list}]}`;
}

/** Returns the body of a request with `objects` objects whose lists have `listLength` integers. */
export function pricedBatch(kind: string, objects: number, listLength: number): string {
  const texts = Array.from({ length: objects }, () => pricedObject(kind, listLength));
  return `{"definitions":[${JSON.stringify(pricedDefinition(kind))}],"objects":[${texts.join(',')}],"options":{"deadline":"10m"}}`;
}
