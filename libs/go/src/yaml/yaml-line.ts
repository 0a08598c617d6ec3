import { parseYamlDocument } from './yaml-node.ts';
import type { YamlNode } from './yaml-node.ts';

/**
 * Returns a function that finds the line (from 1) on which a value begins in the first YAML document of a text. Its argument is the path of
 * keys and indices to the value. The function returns undefined if the value does not exist or the document cannot be read.
 */
export function yamlLines(text: string): (path: readonly (string | number)[]) => number | undefined {
  const document = parseYamlDocument(text);
  const root = document.ok ? document.root : undefined;
  return (path) => {
    const node = path.reduce<YamlNode | undefined>(child, root);
    return node === undefined ? undefined : node.line + 1;
  };
}

function child(parent: YamlNode | undefined, step: string | number): YamlNode | undefined {
  if (parent === undefined) return undefined;
  const node = parent.kind === 'alias' ? parent.target : parent;
  if (node.kind === 'sequence') return typeof step === 'number' ? node.children[step] : undefined;
  if (node.kind !== 'mapping') return undefined;
  const at = node.children.findIndex((key, i) => i % 2 === 0 && key.kind === 'scalar' && key.text === step);
  return at < 0 ? undefined : node.children[at + 1];
}
