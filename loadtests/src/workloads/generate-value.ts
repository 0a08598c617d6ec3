/** A node of a schema, as plain JSON. */
export interface SchemaNode {
  readonly [keyword: string]: unknown;
}

/** How large what is generated may become: a bound of the schema counts where it is smaller. */
export interface ValueSizes {
  /** Code points of a string. */
  readonly text: number;
  /** Elements of a list, entries of a map. */
  readonly elements: number;
  /** Depth below which what may be absent is. */
  readonly depth: number;
}

/** Texts of formats whose form a type checker looks at. */
const FORMATS: Readonly<Record<string, string>> = {
  date: '2024-02-29',
  'date-time': '2024-02-29T12:00:00Z',
  duration: '1h30m',
  byte: 'YWJj',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  cidr: '192.0.2.0/24',
  uri: 'https://example.com/path',
  hostname: 'host.example.com',
  email: 'who@example.com',
  mac: '00:00:5e:00:53:01',
};
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789-';

/**
 * Makes a value that a schema's types allow: all properties, lists and texts up to the sizes. Patterns and other checks of values are not
 * looked at, since only rules are to be evaluated.
 */
export function generateValue(node: SchemaNode, sizes: ValueSizes, random: () => number): unknown {
  const { default: preset, enum: choices } = node;
  if (Array.isArray(choices) && choices.length > 0) return choices[Math.floor(random() * choices.length)];
  if (preset !== undefined && preset !== null && typeof preset !== 'object') return preset;
  if (node['x-kubernetes-int-or-string'] === true) return 80;
  switch (node['type']) {
    case 'integer':
      return between(node, random);
    case 'number':
      return between(node, random) + 0.5;
    case 'boolean':
      return random() < 0.5;
    case 'string':
      return textOf(node, sizes, random);
    case 'array':
      return listOf(node, sizes, random);
    case 'object':
      return objectOf(node, sizes, random);
    default:
      return {};
  }
}

function between({ minimum, maximum }: SchemaNode, random: () => number): number {
  const low = typeof minimum === 'number' ? Math.ceil(minimum) : 0;
  const high = typeof maximum === 'number' ? Math.floor(maximum) : low + 1000;
  return low + Math.floor(random() * Math.max(1, Math.min(1000, high - low)));
}

function textOf({ format, minLength, maxLength }: SchemaNode, { text }: ValueSizes, random: () => number): string {
  const known = typeof format === 'string' ? FORMATS[format] : undefined;
  if (known !== undefined) return known;
  const most = typeof maxLength === 'number' ? Math.min(maxLength, text) : text;
  const length = Math.max(typeof minLength === 'number' ? Math.min(minLength, text) : 0, most);
  return Array.from({ length }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
}

const bounded = (bound: unknown, most: number): number => (typeof bound === 'number' ? Math.min(bound, most) : most);
const inner = (sizes: ValueSizes): ValueSizes => ({ ...sizes, depth: sizes.depth - 1 });

function listOf({ items, maxItems, minItems }: SchemaNode, sizes: ValueSizes, random: () => number): unknown[] {
  const length = sizes.depth <= 0 ? (typeof minItems === 'number' ? minItems : 0) : bounded(maxItems, sizes.elements);
  return Array.from({ length }, () => generateValue((items ?? {}) as SchemaNode, inner(sizes), random));
}

function objectOf(
  { properties, additionalProperties, required, maxProperties }: SchemaNode,
  sizes: ValueSizes,
  random: () => number,
): object {
  const needed = Array.isArray(required) ? (required as unknown[]) : [];
  const entries = Object.entries((properties ?? {}) as Readonly<Record<string, SchemaNode>>)
    .filter(([name]) => sizes.depth > 0 || needed.includes(name))
    .map(([name, schema]) => [name, generateValue(schema, inner(sizes), random)] as const);
  const others =
    typeof additionalProperties !== 'object' || additionalProperties === null || sizes.depth <= 0
      ? []
      : Array.from(
          { length: bounded(maxProperties, sizes.elements) },
          (_, i) => [`key-${i}`, generateValue(additionalProperties as SchemaNode, inner(sizes), random)] as const,
        );
  return Object.fromEntries([...entries, ...others]);
}
