/** Difference between two versions of a CustomResourceDefinition, under the name that API reviewers use. */
export interface SchemaChange {
  /** Name of the difference, such as `field removed` or `enum narrowed`. */
  readonly change: string;
  /** True if, after the change, a valid object may be refused, stored differently, or become unreadable. */
  readonly breaking: boolean;
  /** Name of the API version that changed. Undefined if the change concerns the whole definition. */
  readonly version?: string;
  /** Path of the changed fields: `spec.rules[*].name`. Empty for the object itself. */
  readonly path: string;
  /**
   * Value in the older definition, as JSON. Undefined if the older definition has no value. `after` is the corresponding value in the newer
   * definition.
   */
  readonly before?: string;
  readonly after?: string;
}
