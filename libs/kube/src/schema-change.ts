/** Difference between two definitions, with the name that API reviewers use for it. */
export interface SchemaChange {
  /** Name of the difference, such as `field removed` or `enum narrowed`. */
  readonly change: string;
  /** True if a valid object may be refused, stored differently, or no longer be read. */
  readonly breaking: boolean;
  /** Version that changed. Undefined if the change concerns the whole definition. */
  readonly version?: string;
  /** Path of the fields that changed: `spec.rules[*].name`. Empty for the object itself. */
  readonly path: string;
  /** Value in the older definition, as JSON. Undefined if there is none. `after` is the value in the newer definition. */
  readonly before?: string;
  readonly after?: string;
}
