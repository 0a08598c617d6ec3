import { sortedKeys } from '#go';
import { childAt } from '../../schema/schema-path.ts';
import type { SchemaPath, SchemaStep } from '../../schema/schema-path.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { holdsRules } from '../../schema/walk-schema.ts';
import type { RuleContext } from './rule-context.ts';

/** A node that has rules. */
export interface RuleNode {
  readonly steps: SchemaPath;
  readonly schema: SchemaProps;
  readonly context: RuleContext;
}

/** The nodes of a version's schema that have rules, in the order in which their costs are listed; `context` is the root's. */
export function* ruleNodes(schema: SchemaProps, context: RuleContext, steps: SchemaPath = []): Iterable<RuleNode> {
  if (!holdsRules(schema)) return;
  if (schema.rules.length > 0) yield { steps, schema, context };
  for (const step of stepsFrom(schema)) {
    const child = childAt(schema, step);
    if (child !== undefined) yield* ruleNodes(child, context.at(step, child), [...steps, step]);
  }
}

function stepsFrom({ properties }: SchemaProps): readonly SchemaStep[] {
  const names = sortedKeys(Object.fromEntries(properties ?? []));
  return [{ kind: 'additionalProperties' }, ...names.map((name) => ({ kind: 'property', name }) as const), { kind: 'items' }];
}
