import { resolvePlain, resolveTagged } from './resolve-scalar.ts';
import type { YamlScalar } from './resolve-scalar.ts';
import type { ScalarNode } from './yaml-node.ts';

/**
 * Returns the value of a scalar. The tag determines its type. If there is no tag, the text of a plain scalar determines the type, and a
 * quoted scalar is a string. Throws YamlError if the text does not fit the tag. Source: go.yaml.in/yaml/v2 decode.go `scalar`.
 */
export function resolveNode({ tag, implicit, text }: ScalarNode): YamlScalar {
  if (tag !== '') return resolveTagged(tag, text);
  return implicit ? resolvePlain(text) : { kind: 'string', value: text };
}
