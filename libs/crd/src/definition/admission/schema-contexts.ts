import type { Definition } from '../../schema/definition.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { AdmissionOptions } from './options.ts';
import { RuleContext } from './rule-context.ts';

/**
 * Cache of the rule contexts of root schemas (compiled rules and numbers of evaluations), by schema. Errors and costs use the same context,
 * so that rules are compiled only once.
 */
export class SchemaContexts {
  readonly #options: AdmissionOptions;
  readonly #roots = new Map<SchemaProps, RuleContext>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  readonly of = (schema: SchemaProps): RuleContext => {
    const known = this.#roots.get(schema);
    if (known !== undefined) return known;
    const made = RuleContext.root(schema, this.#options.environments, this.#options.known);
    this.#roots.set(schema, made);
    return made;
  };

  ofVersions(definition: Definition): Map<string, RuleContext> {
    const contexts = new Map<string, RuleContext>();
    for (const { name, schema } of definition.spec.versions) {
      if (schema !== undefined && !contexts.has(name)) contexts.set(name, this.of(schema));
    }
    return contexts;
  }
}
