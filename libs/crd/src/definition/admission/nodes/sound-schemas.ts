import type { SchemaProps } from '../../../schema/schema-props.ts';
import type { NodeDemands } from './node-demands.ts';
import type { Surroundings } from './schema-node.ts';

/** What of the surroundings decides whether there is an error; their texts only word it. What rules may see is another matter. */
const SURROUNDINGS = 4;

/**
 * Schemas of which there is nothing to say, by what is demanded of them and where they stand. That follows from the schema alone, so it is found out once,
 * however often the schema stands in a definition and however many minors are asked.
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

/** The sound schemas under each set of demands: whole trees without rules, and nodes by themselves. */
interface Sound {
  readonly trees: SoundSchemas;
  readonly nodes: SoundSchemas;
}

const known = new Map<string, Sound>();

/** What was found sound under demands. How errors are worded, and whether costs are errors, does not matter here. */
export function soundUnder({ requireKnownTypes, requireAtomicSets, requireMapListKeys }: NodeDemands): Sound {
  const key = `${requireKnownTypes} ${requireAtomicSets} ${requireMapListKeys}`;
  let sound = known.get(key);
  if (sound === undefined) known.set(key, (sound = { trees: new SoundSchemas(), nodes: new SoundSchemas() }));
  return sound;
}
