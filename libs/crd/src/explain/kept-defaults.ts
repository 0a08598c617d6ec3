import { childPath } from '#kube';
import type { AdmissionOptions } from '../definition/admission/options.ts';
import { validateDefaults } from '../definition/admission/validate-defaults.ts';
import { childAt } from '../schema/schema-path.ts';
import type { SchemaPath } from '../schema/schema-path.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import { holdsDefaults } from '../schema/walk-schema.ts';
import { toStructural } from '../structural/from-schema.ts';
import { withBounds } from './bounds.ts';
import type { BoundChange } from './bounds.ts';

/** Checker for changes of size bounds such as `maxItems` in a schema. It tests if the defaults in the schema stay valid. */
export class KeptDefaults {
  readonly #schema: SchemaProps;
  readonly #options: AdmissionOptions;
  #wrongBefore: number | undefined;

  constructor(schema: SchemaProps, options: AdmissionOptions) {
    this.#schema = schema;
    this.#options = options;
  }

  /**
   * Returns true if a change of bounds makes no valid default invalid. If neither a changed node nor an ancestor of it has a default, no
   * default is validated.
   */
  areKept(changes: readonly BoundChange[]): boolean {
    if (!changes.some(({ bound }) => holdsDefault(this.#schema, bound.path))) return true;
    this.#wrongBefore ??= this.#wrongDefaults(this.#schema);
    return this.#wrongDefaults(withBounds(this.#schema, changes)) <= this.#wrongBefore;
  }

  #wrongDefaults(schema: SchemaProps): number {
    if (!holdsDefaults(schema)) return 0;
    const converted = toStructural(schema);
    if (!converted.ok) return 0;
    const defaults = validateDefaults(childPath(undefined, 'openAPIV3Schema'), schema, converted.structural, this.#options);
    return defaults.ok ? defaults.errors.length : 1;
  }
}

/** Returns true if a node at a path or any of its ancestors has a default. */
function holdsDefault(schema: SchemaProps, path: SchemaPath): boolean {
  let node: SchemaProps | undefined = schema;
  for (const step of path) {
    if (node === undefined || node.default !== undefined) break;
    node = childAt(node, step);
  }
  return node?.default !== undefined;
}
