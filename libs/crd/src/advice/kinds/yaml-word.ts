import { isJsonInt, writeJson } from '#go';
import type { JsonValue } from '#go';
import type { AdviceKind, AdvisedNode, FoundAdvice } from '../advice.ts';

/** Advice on enum values and field names that YAML read as another type than text. */
export const yamlWord: AdviceKind = {
  id: 'yaml-word',
  title: 'Words that YAML reads as booleans, numbers or null are in quotes',
  doc: `Kubernetes reads YAML 1.1. Without quotes, \`y\`, \`yes\`, \`on\`, \`n\`, \`no\` and \`off\` are booleans there, also in capital letters. \`1.10\` is the number 1.1, and \`~\` is null. Assay gives this advice for such a value in the \`enum\` of a node of type \`string\`, because no text equals it. Null is
allowed there if the node is nullable. Assay also gives this advice for a property with the name \`true\` or \`false\`. A server accepts such definitions without a warning.`,
  example: {
    before: `
properties:
  country:
    type: string
    enum: [DE, NO]`,
    after: `
properties:
  country:
    type: string
    enum: [DE, "NO"]`,
  },
  ofNode: (node) => [...ofEnum(node), ...ofNames(node)],
};

function ofEnum({ schema, path }: AdvisedNode): FoundAdvice[] {
  const { type, nullable, enum: values = [] } = schema;
  if (type !== 'string') return [];
  return values.flatMap((value, i) => {
    const words = wordsOf(value);
    if (words === undefined || (value === null && nullable)) return [];
    return [{ path: pathIn(path, `enum[${i}]`), text: `No text equals ${words}, so this value of the enum allows nothing. ${REMEDY}` }];
  });
}

const REMEDY =
  'YAML 1.1, which the server reads, makes booleans, numbers and null of some words without quotes: write the value in quotes.';

/** Returns words for an enum value that is not a text; undefined for a text, a list or a map. */
function wordsOf(value: JsonValue): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return `the boolean ${String(value)}`;
  return typeof value !== 'string' && (isJsonInt(value) || typeof value === 'number') ? `the number ${writeJson(value)}` : undefined;
}

function ofNames({ schema, path }: AdvisedNode): FoundAdvice[] {
  const words = [
    ['true', 'y, yes or on'],
    ['false', 'n, no or off'],
  ] as const;
  return words.flatMap(([name, written]) => {
    if (schema.properties?.get(name) === undefined) return [];
    const text = `This property has the name ${name}. YAML 1.1, which the server reads, makes this name of a key ${written} without quotes. Write such a key in quotes, in objects too.`;
    return [{ path: pathIn(path, `properties[${name}]`), text }];
  });
}

const pathIn = (path: string, keyword: string): string => (path === '' ? keyword : `${path}.${keyword}`);
