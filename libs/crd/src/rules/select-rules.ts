import type { CompiledRule, CompiledRules } from './compiled-rules.ts';

/** Rules that look at the older self of their value. They are evaluated only where there is one, or where they ask for an optional one. */
export const isTransition = (rule: CompiledRule): boolean => rule.usesOldSelf;

/** Rules that look at the new value alone. */
export const isStateless = (rule: CompiledRule): boolean => !rule.usesOldSelf;

/**
 * Returns the rules of a schema that are of one kind; undefined where none is. What cannot be compiled counts as stateless. Compiles all rules.
 */
export function selectRules(rules: CompiledRules, keep: typeof isTransition): CompiledRules | undefined {
  const below = (child: CompiledRules | undefined): CompiledRules | undefined => child && selectRules(child, keep);
  const kept: CompiledRules = {
    rules: rules.rules.filter(keep),
    error: keep === isTransition ? undefined : rules.error,
    schema: rules.schema,
    valueSchema: rules.valueSchema,
    usesOldSelf: rules.usesOldSelf,
    items: below(rules.items),
    properties: rules.properties.flatMap(([name, child]) => {
      const chosen = selectRules(child, keep);
      return chosen === undefined ? [] : [[name, chosen] as const];
    }),
    additionalProperties: below(rules.additionalProperties),
    allOf: rules.allOf.map((branch) => selectRules(branch, keep)).filter((branch) => branch !== undefined),
  };
  return isEmpty(kept) ? undefined : kept;
}

const isEmpty = ({ rules, error, items, properties, additionalProperties, allOf }: CompiledRules): boolean =>
  rules.length === 0 &&
  error === undefined &&
  items === undefined &&
  properties.length === 0 &&
  additionalProperties === undefined &&
  allOf.length === 0;
