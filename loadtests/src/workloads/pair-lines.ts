import { customDefinition } from '../../../testing/custom-definition.ts';

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

/** Lines of an NDJSON body: the definition, then so many objects of it, in blocks. */
export function* pairLines(count: number): Generator<string> {
  yield `${JSON.stringify({ definitions: [definition] })}\n`;
  const block = `${JSON.stringify(object)}\n`.repeat(LINES_PER_BLOCK);
  for (let sent = 0; sent < count; sent += LINES_PER_BLOCK) yield block;
}
