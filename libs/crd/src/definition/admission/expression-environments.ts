import { environmentFor } from '#cel';
import type { Environment } from '#cel';
import type { Minor } from '#kube';
import { crdHas } from '../../minors/minors.ts';
import type { Definition } from '../../schema/definition.ts';
import { schemaHas } from '../../schema/schema-props.ts';

/**
 * CEL environments that compile the expressions of a definition. An expression that the stored definition already contains may use all
 * features that the server knows. A new expression may use only features that the server allows in new definitions.
 */
export interface ExpressionEnvironments {
  readonly minor: Minor;
  forRule(text: string): Environment;
  forMessage(text: string): Environment;
}

/**
 * Returns the CEL environments that compile the expressions of a definition. Expressions that `old`, the stored definition, already
 * contains get the environment for stored expressions. `old` is undefined for a create. Source: validation.go `preexistingExpressions`
 * (1.37), `findPreexistingExpressionsInSchema` (1.30).
 */
export function expressionEnvironments(minor: Minor, old: Definition | undefined): ExpressionEnvironments {
  const rules = new Set<string>();
  const messages = new Set<string>();
  for (const version of old?.spec.versions ?? []) {
    schemaHas(version.schema, (schema) => {
      for (const rule of schema.rules) {
        rules.add(rule.rule);
        if (rule.messageExpression !== '') messages.add(crdHas(minor, 'oldMessagesAreKept') ? rule.messageExpression : rule.rule);
      }
      return false;
    });
  }
  const choose = (known: boolean): Environment => environmentFor(minor, known ? 'stored' : 'new');
  return { minor, forRule: (text) => choose(rules.has(text)), forMessage: (text) => choose(messages.has(text)) };
}
