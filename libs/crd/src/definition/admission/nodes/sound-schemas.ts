import type { SchemaProps } from '../../../schema/schema-props.ts';
import type { NodeDemands } from './node-demands.ts';
import type { Surroundings } from './schema-node.ts';

/**
 * Number of combinations of the inherited restrictions that determine whether a schema has errors: whether defaults are forbidden, and
 * whether the node is inside metadata. All other restrictions affect only error messages or the types of rules.
 */
const SURROUNDINGS = 4;

/**
 * Cache of schemas that were found to have no errors. It is kept separately for each combination of the restrictions that a schema inherits
 * from its ancestors. Under one combination, the errors of a schema depend only on the schema itself. Therefore one check is valid for all
 * paths at which the schema occurs, and for all Kubernetes minor versions.
 */
export class SoundSchemas {
  readonly #known: readonly WeakSet<SchemaProps>[] = Array.from({ length: SURROUNDINGS }, () => new WeakSet());

  has(schema: SchemaProps, around: Surroundings): boolean {
    return this.#at(around).has(schema);
  }

  add(schema: SchemaProps, around: Surroundings): void {
    this.#at(around).add(schema);
  }

  #at({ forbidDefault, insideMetadata }: Surroundings): WeakSet<SchemaProps> {
    return this.#known[(forbidDefault === undefined ? 0 : 2) + (insideMetadata ? 1 : 0)] as WeakSet<SchemaProps>;
  }
}

/** Schemas without errors under one set of requirements: complete trees without rules, and single nodes. */
interface Sound {
  readonly trees: SoundSchemas;
  readonly nodes: SoundSchemas;
}

const known = new Map<string, Sound>();

/**
 * Returns two caches of schemas that have no errors under the given requirements: one for complete schema trees, and one for single nodes.
 * The wording of errors and the cost limits do not select the cache, because they do not affect whether a schema has errors.
 */
export function soundUnder({ requireKnownTypes, requireAtomicSets, requireMapListKeys }: NodeDemands): Sound {
  const key = `${requireKnownTypes} ${requireAtomicSets} ${requireMapListKeys}`;
  let sound = known.get(key);
  if (sound === undefined) known.set(key, (sound = { trees: new SoundSchemas(), nodes: new SoundSchemas() }));
  return sound;
}
