import { customDefinition } from '../../../testing/custom-definition.ts';

/** Longest list of an object: its rule then takes some 1.5 ms. */
export const LONGEST_LIST = 300;

/** Returns a definition whose objects take as long as the square of their list: one kind of object, any price. */
export function pricedDefinition(kind: string): unknown {
  const list = {
    type: 'array',
    maxItems: LONGEST_LIST,
    items: { type: 'integer' },
    'x-kubernetes-validations': [{ rule: 'self.all(a, self.all(b, a <= b || b <= a))' }],
  };
  return customDefinition({ group: 'priced.assay.example.com', kind, scope: 'Cluster', schema: { type: 'object', properties: { list } } });
}

/** Returns the text of an object with a list of so many integers. */
export function pricedObject(kind: string, listLength: number): string {
  const list = Array.from({ length: listLength }, (_, i) => i).join(',');
  return `{"apiVersion":"priced.assay.example.com/v1","kind":"${kind}","metadata":{"name":"x"},"list":[${list}]}`;
}

/** Returns the body of a request: so many objects with lists of so many integers. */
export function pricedBatch(kind: string, objects: number, listLength: number): string {
  const texts = Array.from({ length: objects }, () => pricedObject(kind, listLength));
  return `{"definitions":[${JSON.stringify(pricedDefinition(kind))}],"objects":[${texts.join(',')}],"options":{"deadline":"10m"}}`;
}
