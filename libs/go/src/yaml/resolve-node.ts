import { resolvePlain, resolveTagged } from './resolve-scalar.ts';
import type { YamlScalar } from './resolve-scalar.ts';
import type { ScalarNode } from './yaml-node.ts';

/**
 * Returns the value of a scalar. Its tag determines the type, or its text if it is plain and has no tag. Throws YamlError. Source:
 * go.yaml.in/yaml/v2 decode.go `scalar`.
 */
export function resolveNode({ tag, implicit, text }: ScalarNode): YamlScalar {
  if (tag !== '') return resolveTagged(tag, text);
  return implicit ? resolvePlain(text) : { kind: 'string', value: text };
}
