/** One difference between two definitions, by the name that reviewers of APIs give it. */
export interface SchemaChange {
  /** Such as `field removed`, `enum narrowed`. */
  readonly change: string;
  /** True if a valid object may be refused, stored differently, or no longer be read. */
  readonly breaking: boolean;
  /** Undefined if all of the definition is meant. */
  readonly version?: string;
  /** The fields in question: `spec.rules[*].name`; empty for the object itself. */
  readonly path: string;
  /** The older and the newer value, as JSON; undefined if there is none. */
  readonly before?: string;
  readonly after?: string;
}
