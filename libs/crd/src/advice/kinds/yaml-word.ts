import { isJsonInt, writeJson } from '#go';
import type { JsonValue } from '#go';
import type { AdviceKind, AdvisedNode, FoundAdvice } from '../advice.ts';

/** Advice on enum values and field names that YAML read as another type than text. */
export const yamlWord: AdviceKind = {
  id: 'yaml-word',
  title: 'Words that YAML reads as booleans, numbers or null are in quotes',
  doc: `Kubernetes reads YAML 1.1, in which \`y\`, \`yes\`, \`on\`, \`n\`, \`no\` and \`off\` without quotes are booleans, \`1.10\` is the number 1.1, and \`~\` is null. The same words with a first
capital letter, or in capital letters only, are booleans too. Assay gives this advice for such a value in the \`enum\` of a node of type \`string\`, because no text equals it. Null is
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
    ['true', 'y, yes and on'],
    ['false', 'n, no and off'],
  ] as const;
  return words.flatMap(([name, written]) => {
    if (schema.properties?.get(name) === undefined) return [];
    const text = `This property has the name ${name}. If its key is one of the words ${written}: YAML 1.1, which the server reads, makes a boolean of it. Write the key in quotes, in objects too.`;
    return [{ path: pathIn(path, `properties[${name}]`), text }];
  });
}

const pathIn = (path: string, keyword: string): string => (path === '' ? keyword : `${path}.${keyword}`);
