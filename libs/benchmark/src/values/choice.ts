/** The content of a scalar field, over all values that it has in an object. */
export type Filling =
  /** The least value that the schema allows, the same everywhere. */
  | { readonly kind: 'least' }
  | { readonly kind: 'greatest' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  /** Another value in each element of the list above, rising or falling. */
  | { readonly kind: 'rising' | 'falling' }
  /** All elements of the list above have one value, but the last one has another: nothing ends early. */
  | { readonly kind: 'lastDiffers'; readonly value: string | number | boolean; readonly last: string | number | boolean }
  /** These texts in turn, over the elements of the list above. */
  | { readonly kind: 'cycle'; readonly values: readonly string[] }
  /** Texts that a pattern of RE2 matches; if they vary, another one in each element of the list above. */
  | { readonly kind: 'pattern'; readonly pattern: string; readonly varies?: true }
  /** One text again and again, up to the size. */
  | { readonly kind: 'periodic'; readonly period: string };

/** Decisions about one field; an absent part means the least that the schema asks for. */
export interface Choice {
  /** True if an optional field is there. */
  readonly present?: boolean;
  /** Elements of a list, keys of a map, or code points of a text. */
  readonly size?: number;
  /** Code points of the keys of a map. */
  readonly keyLength?: number;
  /** Keys that a map has before all others. */
  readonly keys?: readonly string[];
  /** The branches of `anyOf` and `oneOf` that the value follows. */
  readonly branch?: number;
  readonly filling?: Filling;
  /** True if the size may exceed the schema's bound: a rule's growth goes on beyond. */
  readonly isLifted?: boolean;
}

/**
 * Decisions about the fields of a value, by field: `.spec.rules[].name` from the root of the object, `[]` for elements of a list and `{}` for values of a map.
 * Immutable.
 */
export class ValuePlan {
  readonly #choices: ReadonlyMap<string, Choice>;

  constructor(choices: Iterable<readonly [field: string, choice: Choice]> = []) {
    this.#choices = new Map(choices);
  }

  /** Returns the decisions about a field; none if there are none. */
  at(field: string): Choice | undefined {
    return this.#choices.get(field);
  }

  /** Returns the plan with some decisions about a field changed. */
  with(field: string, change: Choice): ValuePlan {
    return new ValuePlan([...this.#choices, [field, { ...this.#choices.get(field), ...change }]]);
  }

  /** Returns the plan with all decisions of another laid over it. */
  under(other: ValuePlan): ValuePlan {
    const merged = new Map(this.#choices);
    for (const [field, choice] of other.#choices) merged.set(field, { ...merged.get(field), ...choice });
    return new ValuePlan(merged);
  }

  /** Returns the plan with each decision changed. */
  map(change: (choice: Choice, field: string) => Choice): ValuePlan {
    return new ValuePlan([...this.#choices].map(([field, choice]) => [field, change(choice, field)]));
  }

  /** The fields that decisions are about. */
  get fields(): readonly string[] {
    return [...this.#choices.keys()];
  }
}
