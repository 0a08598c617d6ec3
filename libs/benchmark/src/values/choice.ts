import type { SchemaPath } from '#crd';

/** Rule by which a generator chooses the value of a scalar field wherever the field occurs in an object. */
export type Filling =
  /**
   * The usual value. For a number, it is the schema's minimum, or a small number if there is no minimum. For a text, it is the first
   * generated text of the field's size. It is the same wherever the field occurs, unless the elements of a list must differ.
   */
  | { readonly kind: 'least' }
  | { readonly kind: 'greatest' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  /** A different value in each element of the list that contains the field. The values rise or fall from element to element. */
  | { readonly kind: 'rising' | 'falling' }
  /**
   * The value `value` in all elements of the list that contains the field, except in the last element, which has `last`. A comparison of
   * the elements can therefore not end early.
   */
  | { readonly kind: 'lastDiffers'; readonly value: string | number | boolean; readonly last: string | number | boolean }
  /** The texts in `values`, one after another, for the elements of the list that contains the field. */
  | { readonly kind: 'cycle'; readonly values: readonly string[] }
  /** Texts that an RE2 pattern matches. If `varies` is true, each element of the list that contains the field has a different text. */
  | { readonly kind: 'pattern'; readonly pattern: string; readonly varies?: true }
  /** The text `period`, repeated up to the size of the field. */
  | { readonly kind: 'periodic'; readonly period: string };

/** Decisions about the generated value of one field. If a property of this type is absent, the minimum that the schema requires is used. */
export interface FieldChoice {
  /** True if the optional field is written. */
  readonly present?: boolean;
  /** Size of the field: the number of elements of a list, of entries of a map, or of code points of a text. */
  readonly size?: number;
  /** Length of the keys of a map, in code points. */
  readonly keyLength?: number;
  /** Keys that are written to a map before generated keys. */
  readonly keys?: readonly string[];
  /** Index of the combination of branches of `anyOf` and `oneOf` that the value satisfies. */
  readonly branch?: number;
  readonly filling?: Filling;
  /** True if the size may exceed the schema's bound, so that the growth of a rule's cost is visible beyond the bound. */
  readonly isLifted?: boolean;
}

/**
 * Immutable plan from which a test value is generated. It consists of decisions about fields, by the path of the field, such as
 * `.spec.rules[].name`. `[]` means elements of a list, and `{}` means values of a map.
 */
export class ValuePlan {
  readonly #choices: ReadonlyMap<string, FieldChoice>;

  constructor(choices: Iterable<readonly [field: string, choice: FieldChoice]> = []) {
    this.#choices = new Map(choices);
  }

  /** Returns the decisions about a field, or undefined if there are none. */
  at(field: string): FieldChoice | undefined {
    return this.#choices.get(field);
  }

  /**
   * Returns a copy of this plan in which the decisions about `field` are changed: the properties in `change` replace the earlier
   * properties.
   */
  with(field: string, change: FieldChoice): ValuePlan {
    return new ValuePlan([...this.#choices, [field, { ...this.#choices.get(field), ...change }]]);
  }

  /** Returns a copy of this plan in which the decisions of `other` take precedence. */
  under(other: ValuePlan): ValuePlan {
    const merged = new Map(this.#choices);
    for (const [field, choice] of other.#choices) merged.set(field, { ...merged.get(field), ...choice });
    return new ValuePlan(merged);
  }

  /** Returns a copy of this plan in which the results of `change` replace the decisions about each field. */
  map(change: (choice: FieldChoice, field: string) => FieldChoice): ValuePlan {
    return new ValuePlan([...this.#choices].map(([field, choice]) => [field, change(choice, field)]));
  }

  /** Paths of the fields for which this plan contains decisions. */
  get fields(): readonly string[] {
    return [...this.#choices.keys()];
  }
}

/**
 * Returns the path of a schema's node as text, such as `.spec.rules[].name`. Plans of generated objects name their fields in this form. The
 * path of the root is empty.
 */
export function nodePathText(steps: SchemaPath): string {
  return steps.map((step) => (step.kind === 'property' ? `.${step.name}` : step.kind === 'items' ? '[]' : '{}')).join('');
}
