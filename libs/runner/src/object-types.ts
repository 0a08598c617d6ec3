import type { DocumentSlice } from '#documents';

/**
 * Types of the objects in a text of documents, and types of the parameter objects that the policies in this text read. Processes send these
 * types to each other.
 */
export interface ObjectTypes {
  /** Distinct types, each as `apiVersion kind`. */
  readonly names: readonly string[];
  /** Index in `names` of the type of each object, in the order of the objects. */
  readonly of: Uint32Array;
  /** Types of the parameters of policies. */
  readonly parameters: readonly string[];
}

/** Type of Namespaces. A policy may read the Namespace of the object that it checks. */
const NAMESPACE = 'v1 Namespace';

/** Returns a type as `apiVersion kind`, the form used in {@link ObjectTypes}. */
export const typeName = (apiVersion: unknown, kind: unknown): string => `${String(apiVersion)} ${String(kind)}`;

/**
 * Collector of two facts about a text: the `apiVersion` and `kind` of each object, and the types of parameter objects that the text's
 * policies read.
 */
export class TypeNotes {
  readonly #places = new Map<string, number>();
  readonly #of: number[] = [];
  readonly #parameters = new Set<string>();

  object(type: string): void {
    const place = this.#places.get(type) ?? this.#places.size;
    this.#places.set(type, place);
    this.#of.push(place);
  }

  parameter(type: string): void {
    this.#parameters.add(type);
  }

  get noted(): ObjectTypes {
    return { names: [...this.#places.keys()], of: Uint32Array.from(this.#of), parameters: [...this.#parameters] };
  }
}

/** Returns the objects of several texts that a policy in any of these texts may read: Namespaces and parameter objects. */
export function clusterObjects(
  texts: readonly { readonly objects: readonly DocumentSlice[]; readonly types: ObjectTypes }[],
): readonly DocumentSlice[] {
  const wanted = new Set([NAMESPACE, ...texts.flatMap(({ types }) => types.parameters)]);
  return texts.flatMap(({ objects, types: { names, of } }) => {
    const isWanted = names.map((name) => wanted.has(name));
    return isWanted.includes(true) ? objects.filter((_, i) => isWanted[of[i] ?? -1]) : [];
  });
}
