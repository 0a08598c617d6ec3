import { KEP_ITERATION_TIMES } from '#kube';
import type { JsonValue } from '#go';
import { grouped } from '#numbers';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { parsed } from './judging.ts';

/** One list size of KEP-2876's experiment: about 3 MB of elements that all have the same length. */
export interface ListWorkload {
  readonly name: string;
  readonly elements: number;
  /** Bytes of one element in JSON, comma included. */
  readonly elementBytes: number;
  /** Time in ms that the KEP measured for iterating over a list of this size. The KEP's limit is five times this time. */
  readonly kepMs: number;
}

const [SHORT, MIDDLE, LONG] = KEP_ITERATION_TIMES;

/** The three sizes of the KEP ("worst case list sizes"). Source: keps/sig-api-machinery/2876-crd-validation-expression-language. */
export const KEP_LISTS: readonly ListWorkload[] = [
  { name: '30k × 100 B', elements: SHORT.elements, elementBytes: 100, kepMs: SHORT.ms },
  { name: '300k × 10 B', elements: MIDDLE.elements, elementBytes: 10, kepMs: MIDDLE.ms },
  { name: '1,572k × 2 B', elements: LONG.elements, elementBytes: 2, kepMs: LONG.ms },
];

/** Returns the size of a list in words, such as `30,000 elements of 100 bytes`. */
export const listTitle = ({ elements, elementBytes }: ListWorkload): string => `${grouped(elements)} elements of ${elementBytes} bytes`;

/** Replaces the short name of a list in a text by its size in words. */
export const withListTitles = (text: string): string =>
  KEP_LISTS.reduce((all, list) => all.replace(`list ${list.name}`, `list of ${listTitle(list)}`), text);

const GROUP = 'lists.assay.example.com';

/**
 * Returns the rule of the experiment. It is the KEP's `startsWith` if elements are wide enough to be strings, and a comparison of integers
 * if they are not.
 */
export function listRule({ elementBytes }: ListWorkload): { readonly rule: string; readonly data: 'strs' | 'ints' } {
  return elementBytes > 4
    ? { rule: "self.list.all(e, e.startsWith('a'))", data: 'strs' }
    : { rule: 'self.list.all(e, e >= 0)', data: 'ints' };
}

/**
 * Returns a definition with one list and one rule over the list. The bounds match the size of a request, so the server accepts the rule,
 * and every list that fits into a request satisfies the bounds.
 */
export function listDefinition(workload: ListWorkload): JsonValue {
  const list =
    workload.elementBytes > 4
      ? { type: 'array', maxItems: 400_000, items: { type: 'string', maxLength: 100 } }
      : { type: 'array', maxItems: 1_600_000, items: { type: 'integer' } };
  const schema = {
    type: 'object',
    'x-kubernetes-validations': [{ rule: listRule(workload).rule, message: 'every element must pass' }],
    properties: { list },
  };
  return parsed(customDefinition({ group: GROUP, kind: 'ListHolder', schema }));
}

/** Returns the JSON text of an object whose list has the workload's size. */
export function listBody({ elements, elementBytes }: ListWorkload): string {
  const element = elementBytes > 4 ? `"${'a'.repeat(elementBytes - 3)}"` : '7';
  const list = `${`${element},`.repeat(elements - 1)}${element}`;
  return `{"apiVersion":"${GROUP}/v1","kind":"ListHolder","metadata":{"name":"long","namespace":"default"},"list":[${list}]}`;
}
