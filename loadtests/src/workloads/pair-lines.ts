import { customDefinition } from '../../../testing/custom-definition.ts';
import { blocksOf } from './request-bodies.ts';

/** Integers of an object. */
const INTEGERS = 100;
/** Counts of lines are multiples of it. */
const LINES_PER_BLOCK = 1000;

/** A definition whose rule compares all pairs of a list: an object is small, and takes a thread far longer than it takes to carry. */
const definition = customDefinition({
  group: 'bench.example.com',
  kind: 'Pairs',
  schema: {
    type: 'object',
    'x-kubernetes-validations': [{ rule: 'self.list.all(a, self.list.all(b, a + b >= 0))' }],
    properties: { list: { type: 'array', maxItems: INTEGERS, items: { type: 'integer' } } },
  },
});

const object = {
  apiVersion: 'bench.example.com/v1',
  kind: 'Pairs',
  metadata: { name: 'pairs', namespace: 'default' },
  list: Array.from({ length: INTEGERS }, (_, i) => i),
};

/** Returns the NDJSON of a stream of so many of these objects, with their definition. */
export function pairLines(count: number): Iterable<string> {
  const objects = Array.from({ length: LINES_PER_BLOCK }, () => JSON.stringify(object));
  return blocksOf(JSON.stringify(definition), objects, count);
}
