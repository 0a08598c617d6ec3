import { isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { LoneRule } from '#crd';

/**
 * Returns the JSON schema of the node at which a rule is declared, with this rule as the only rule. Returns undefined if the definition has
 * no such node.
 */
export function schemaOfNode(definition: JsonValue, { steps, version, rule }: LoneRule): JsonObject | undefined {
  let node = schemaOfVersion(definition, version.name);
  for (const step of steps) node = step.kind === 'property' ? at(at(node, 'properties'), step.name) : at(node, step.kind);
  if (!isJsonObject(node)) return undefined;
  const { source } = rule;
  const alone: JsonObject = { rule: source.rule };
  if (source.optionalOldSelf === true) alone['optionalOldSelf'] = true;
  return { ...withoutRules(node), 'x-kubernetes-validations': [alone] };
}

const at = (value: JsonValue | undefined, name: string): JsonValue | undefined => (isJsonObject(value) ? value[name] : undefined);

function schemaOfVersion(definition: JsonValue, name: string): JsonValue | undefined {
  const spec = at(definition, 'spec');
  const versions = at(spec, 'versions');
  const version = Array.isArray(versions) ? versions.find((one) => at(one, 'name') === name) : undefined;
  return at(at(version, 'schema') ?? at(spec, 'validation'), 'openAPIV3Schema');
}

/** Keywords that are removed from the schema: the rules themselves, and all keywords that do not change the cost of a rule. */
const DROPPED: ReadonlySet<string> = new Set(['x-kubernetes-validations', 'description', 'default', 'example']);
const ONE_NODE: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not']);
const NODES: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);

const bare = (value: JsonValue): JsonValue => (isJsonObject(value) ? withoutRules(value) : value);

function withoutRules(node: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]): [string, JsonValue][] => {
      if (DROPPED.has(key)) return [];
      if (key === 'properties' && isJsonObject(value))
        return [[key, Object.fromEntries(Object.entries(value).map(([name, child]) => [name, bare(child)]))]];
      if (NODES.has(key) && Array.isArray(value)) return [[key, value.map(bare)]];
      return [[key, ONE_NODE.has(key) ? bare(value) : value]];
    }),
  );
}
