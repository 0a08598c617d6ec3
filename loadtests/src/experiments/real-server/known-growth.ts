import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { parsed } from '../../workloads/judging.ts';
import type { Choice } from '../../lab.ts';

/** Rule whose cost grows with a known power of a size, with a definition and objects of each size. */
export interface KnownGrowth {
  readonly name: string;
  readonly rule: string;
  /** Exponent of the growth of the cost with the size. */
  readonly exponent: number;
  readonly sizes: Choice<readonly number[]>;
  readonly definition: JsonObject;
  /** Returns the JSON text of an object of the given size. */
  readonly body: (size: number) => string;
}

const GROUP = 'growth.assay.example.com';
const INTEGERS = { type: 'array', maxItems: 400, items: { type: 'integer' } };

/** Rules whose cost grows with n, n² and n·m. Sizes are small enough for the cost limits of a server. */
export const KNOWN_GROWTH: readonly KnownGrowth[] = [
  {
    name: 'a pattern on a text of length n',
    rule: "self.text.matches('^([a-z]|[0-9])*$')",
    exponent: 1,
    sizes: { quick: [40_000, 160_000], full: [40_000, 80_000, 160_000, 320_000] },
    properties: { text: { type: 'string', maxLength: 400_000 } },
    fields: (size: number) => ({ text: 'a'.repeat(size) }),
  },
  {
    name: 'each of n elements with each of n elements',
    rule: 'self.left.all(x, self.left.all(y, y >= 0))',
    exponent: 2,
    sizes: { quick: [60, 120], full: [60, 90, 130, 190, 280] },
    properties: { left: INTEGERS },
    fields: (size: number) => ({ left: integers(size) }),
  },
  {
    name: 'each of n elements with each of m elements, n = m',
    rule: 'self.left.all(x, self.right.all(y, y >= 0))',
    exponent: 2,
    sizes: { quick: [60, 120], full: [60, 90, 130, 190, 280] },
    properties: { left: INTEGERS, right: INTEGERS },
    fields: (size: number) => ({ left: integers(size), right: integers(size) }),
  },
].map(({ properties, fields, ...growth }) => ({
  ...growth,
  definition: definitionOf(growth.rule, properties),
  body: (size) => bodyOf(fields(size)),
}));

const integers = (size: number): number[] => Array.from({ length: size }, (_, i) => i);

function definitionOf(rule: string, properties: object): JsonObject {
  const schema = { type: 'object', 'x-kubernetes-validations': [{ rule }], properties };
  const definition = parsed(customDefinition({ group: GROUP, kind: 'Grower', schema }));
  if (!isJsonObject(definition)) throw new Error('no definition');
  return definition;
}

function bodyOf(fields: object): string {
  return JSON.stringify({ apiVersion: `${GROUP}/v1`, kind: 'Grower', metadata: { name: 'grower', namespace: 'default' }, ...fields });
}
