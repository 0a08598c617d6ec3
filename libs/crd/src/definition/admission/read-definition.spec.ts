import { expect, it } from 'vitest';
import { inDecodingOrder } from './read-definition.ts';

const DOCUMENT = { z: 1, spec: { b: [{ y: 1, x: 1 }], a: 1 }, a: 1 };
const FIELDS = ['a', 'z', 'spec.a', 'spec.b[0].x', 'spec.b[0].y'];

it.each([
  ['json', ['z', 'spec.b[0].y', 'spec.b[0].x', 'spec.a', 'a']],
  ['yaml', ['a', 'spec.a', 'spec.b[0].x', 'spec.b[0].y', 'z']],
] as const)("the errors about unknown fields of %s have the order in which the server's decoder reports them", (syntax, ordered) => {
  expect(inDecodingOrder(FIELDS, DOCUMENT, syntax)).toEqual(ordered);
  expect(inDecodingOrder([...FIELDS, 'spec.b[0].more'], DOCUMENT, syntax)).toEqual([...ordered, 'spec.b[0].more']);
});
