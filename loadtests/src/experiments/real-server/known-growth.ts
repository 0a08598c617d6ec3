import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { parsed } from '../../workloads/judging.ts';
import type { ByThoroughness } from '../../lab.ts';

/** Rule whose cost grows with a known power of a size, with a definition and objects of each size. */
export interface KnownGrowth {
  readonly name: string;
  readonly rule: string;
  /** Exponent of the growth of the cost with the size. */
  readonly exponent: number;
  readonly sizes: ByThoroughness<readonly number[]>;
  readonly definition: JsonObject;
  /** Returns the JSON text of an object of the given size. */
  readonly body: (size: number) => string;
}

const GROUP = 'growth.assay.example.com';
/** Number of characters of each element. Such a text needs more time than the cost tracker, whose time grows faster than the cost. */
const LENGTH = 1000;
const TEXTS = { type: 'array', maxItems: 64, items: { type: 'string', maxLength: LENGTH } };
const PATTERN = "matches('^[ab]*$')";
const SIZES = { quick: [20, 56], full: [20, 28, 40, 56] } as const;

/** Rules whose cost and time grow with n, n² and n·m. Sizes are small enough for the cost limits of a server. */
export const KNOWN_GROWTH: readonly KnownGrowth[] = [
  {
    name: 'a pattern on a text of length n',
    rule: `self.text.${PATTERN}`,
    exponent: 1,
    sizes: { quick: [400_000, 1_600_000], full: [200_000, 400_000, 800_000, 1_600_000] },
    properties: { text: { type: 'string', maxLength: 2_000_000 } },
    fields: (size: number) => ({ text: 'a'.repeat(size) }),
  },
  {
    name: 'each of n elements with each of n elements',
    rule: `self.left.all(x, self.left.all(y, y.${PATTERN}))`,
    exponent: 2,
    sizes: SIZES,
    properties: { left: TEXTS },
    fields: (size: number) => ({ left: texts(size) }),
  },
  {
    name: 'each of n elements with each of m elements, n = m',
    rule: `self.left.all(x, self.right.all(y, y.${PATTERN}))`,
    exponent: 2,
    sizes: SIZES,
    properties: { left: TEXTS, right: TEXTS },
    fields: (size: number) => ({ left: texts(size), right: texts(size) }),
  },
].map(({ properties, fields, ...growth }) => ({
  ...growth,
  definition: definitionOf(growth.rule, properties),
  body: (size) => bodyOf(fields(size)),
}));

const texts = (size: number): string[] => Array.from({ length: size }, () => 'a'.repeat(LENGTH));

function definitionOf(rule: string, properties: object): JsonObject {
  const schema = { type: 'object', 'x-kubernetes-validations': [{ rule }], properties };
  const definition = parsed(customDefinition({ group: GROUP, kind: 'Grower', schema }));
  if (!isJsonObject(definition)) throw new Error('no definition');
  return definition;
}

function bodyOf(fields: object): string {
  return JSON.stringify({ apiVersion: `${GROUP}/v1`, kind: 'Grower', metadata: { name: 'grower', namespace: 'default' }, ...fields });
}
