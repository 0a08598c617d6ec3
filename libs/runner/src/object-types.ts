import type { DocumentSlice } from '#evaluation';

/** The types of the objects of a text, and the objects that its policies read besides. Travels between processes. */
export interface ObjectTypes {
  /** `apiVersion kind`, each once. */
  readonly names: readonly string[];
  /** For each object, in order, the place of its type in `names`. */
  readonly of: Uint32Array;
  /** Types of the parameters of policies. */
  readonly parameters: readonly string[];
}

/** Policies look at the Namespaces of what they judge. */
const NAMESPACE = 'v1 Namespace';

/** Returns `apiVersion kind`, as {@link ObjectTypes} has it. */
export const typeName = (apiVersion: unknown, kind: unknown): string => `${String(apiVersion)} ${String(kind)}`;

/** Collects the types of objects. */
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

/** Those of the objects of several texts that the policies of any of them look at. */
export function clusterObjects(
  texts: readonly { readonly objects: readonly DocumentSlice[]; readonly types: ObjectTypes }[],
): readonly DocumentSlice[] {
  const wanted = new Set([NAMESPACE, ...texts.flatMap(({ types }) => types.parameters)]);
  return texts.flatMap(({ objects, types: { names, of } }) => {
    const isWanted = names.map((name) => wanted.has(name));
    return isWanted.includes(true) ? objects.filter((_, i) => isWanted[of[i] ?? -1]) : [];
  });
}
