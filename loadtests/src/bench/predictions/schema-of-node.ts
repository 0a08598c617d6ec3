import type { LoneRule } from '#crd';
import { schemaOfVersion, yamlObject } from '../../workloads/object-cases.ts';

type Node = Readonly<Record<string, unknown>>;

/** Reads the JSON schema of a rule's node from the definition's file, with this rule and no other; undefined where it is not there. */
export function schemaOfNode(file: string, { steps, version, rule }: LoneRule): object | undefined {
  let node: unknown = schemaOfVersion(yamlObject(file), version.name);
  for (const step of steps) {
    if (node === undefined) return undefined;
    node = step.kind === 'property' ? ((node as Node)['properties'] as Node)[step.name] : (node as Node)[step.kind];
  }
  if (node === undefined) return undefined;
  const { source } = rule;
  const optional = source.optionalOldSelf === true ? { optionalOldSelf: true } : {};
  return { ...withoutRules(node as Node), 'x-kubernetes-validations': [{ rule: source.rule, ...optional }] };
}

const DROPPED: ReadonlySet<string> = new Set(['x-kubernetes-validations', 'description', 'default', 'example']);

function withoutRules(node: Node): Node {
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => {
      if (DROPPED.has(key)) return [];
      if (key === 'properties')
        return [[key, Object.fromEntries(Object.entries(value as Node).map(([name, child]) => [name, withoutRules(child as Node)]))]];
      if (['allOf', 'anyOf', 'oneOf'].includes(key)) return [[key, (value as Node[]).map(withoutRules)]];
      const isNode = ['items', 'additionalProperties', 'not'].includes(key) && typeof value === 'object' && value !== null;
      return [[key, isNode ? withoutRules(value as Node) : value]];
    }),
  );
}
