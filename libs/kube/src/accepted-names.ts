import { goQuote } from '#go';

/** Names that a CustomResourceDefinition requests. */
export interface ResourceNames {
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly kind: string;
  readonly listKind: string;
}

/** Condition of a definition that has received all names that it requested. Source: pkg/controller/status/naming_controller.go (1.37). */
export const NAMES_ACCEPTED = { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' } as const;
/** Condition `Established` of a definition whose resource is served. Source: pkg/controller/status/naming_controller.go (1.37). */
export const ESTABLISHED = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
} as const;
/** Condition `Established` of a definition whose names were not all accepted. Source: pkg/controller/status/naming_controller.go (1.37). */
export const NOT_ESTABLISHED = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
} as const;

/** Content of the condition `NamesAccepted`: the cluster accepts the names of a definition, or rejects them with a reason. */
export type NamesAccepted = { readonly accepted: true } | { readonly accepted: false; readonly reason: string; readonly message: string };

/**
 * Names that the definitions of one group have received so far. Plural, singular and short names form one set, and kinds and list kinds
 * form another. A name is unique in its set. Source: apiextensions-apiserver pkg/controller/status/naming_controller.go (1.37).
 */
export class ClaimedNames {
  readonly #resources = new Set<string>();
  readonly #kinds = new Set<string>();

  /**
   * Assigns the requested names that are not taken to a new definition. Returns the content of its condition `NamesAccepted`. If several
   * names conflict, only the last conflict is reported, as in the API server.
   */
  claim(names: ResourceNames): NamesAccepted {
    const conflicts = this.#conflicts(names);
    const lost = new Set(conflicts.map(({ field }) => field));
    if (!lost.has('Plural')) this.#resources.add(names.plural);
    if (!lost.has('Singular')) this.#resources.add(names.singular);
    if (!lost.has('ShortNames')) for (const name of names.shortNames) this.#resources.add(name);
    if (!lost.has('Kind')) this.#kinds.add(names.kind);
    if (!lost.has('ListKind')) this.#kinds.add(names.listKind);
    const last = conflicts.at(-1);
    return last === undefined ? { accepted: true } : { accepted: false, reason: `${last.field}Conflict`, message: last.message };
  }

  /**
   * Assigns the names that an update of a definition requests. The names that the definition has are free for it. Returns the content of its
   * condition `NamesAccepted`.
   */
  update(before: ResourceNames | undefined, names: ResourceNames): NamesAccepted {
    if (before !== undefined) {
      for (const name of [before.plural, before.singular, ...before.shortNames]) this.#resources.delete(name);
      for (const kind of [before.kind, before.listKind]) this.#kinds.delete(kind);
    }
    return this.claim(names);
  }

  #conflicts({ plural, singular, shortNames, kind, listKind }: ResourceNames): { field: string; message: string }[] {
    const check = (field: string, names: readonly string[], used: ReadonlySet<string>): { field: string; message: string }[] => {
      const taken = [...new Set(names.filter((name) => used.has(name)).map((name) => `${goQuote(name)} is already in use`))];
      if (taken.length === 0) return [];
      return [{ field, message: taken.length === 1 ? (taken[0] as string) : `[${taken.join(', ')}]` }];
    };
    return [
      ...check('Plural', [plural], this.#resources),
      ...check('Singular', [singular], this.#resources),
      ...check('ShortNames', shortNames, this.#resources),
      ...check('Kind', [kind], this.#kinds),
      ...check('ListKind', [listKind], this.#kinds),
    ];
  }
}
