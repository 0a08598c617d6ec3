import { yamlDefinition } from '../../../../testing/yaml-definition.ts';
import { widget } from '../messages/message-case.ts';
import type { MessageCase } from '../messages/message-case.ts';

/** Expression whose answer differs between two Kubernetes versions. */
export interface ExpressionExample {
  readonly expression: string;
  /** Schema of `self` in YAML. Without it, the expression reads no object. */
  readonly schema?: string;
  /** Value of `self` in YAML, in one line. */
  readonly self?: string;
  /** Part of the answer that differs: the value or the error of the expression, what its evaluation costs, or its cost estimate. */
  readonly shows: 'value' | 'cost' | 'estimate';
}

/** Documents about which two Kubernetes versions say different things. The page shows the lines `cause` of them. */
export type DocumentsExample = Pick<MessageCase, 'cause' | 'documents' | 'stored'> & {
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /**
   * Part of the answer that differs. By default, the example shows messages and warnings. Otherwise it shows the cost or the audit
   * annotations of the policies, the warnings of type checking, or the reason of a denial.
   */
  readonly shows?: 'cost' | 'audit' | 'types' | 'denial';
};

/** Example of a difference between two Kubernetes versions. The page about versions shows both answers. */
export type Example = ExpressionExample | DocumentsExample;

type Entry = { readonly seen: unknown };

/** Examples of a ledger: one for each difference that users see. */
export type ExamplesOf<Ledger extends Readonly<Record<string, Entry>>> = {
  readonly [Name in keyof Ledger as Ledger[Name]['seen'] extends undefined ? never : Name]: Example;
};

/** Returns an example with the value or the error of an expression. */
export const valueOf = (expression: string, schema?: string, self?: string): ExpressionExample => ({
  expression,
  ...(schema !== undefined && { schema }),
  ...(self !== undefined && { self }),
  shows: 'value',
});
/** Returns an example with the cost of the evaluation of an expression. */
export const costOf = (expression: string, schema?: string, self?: string): ExpressionExample => ({
  ...valueOf(expression, schema, self),
  shows: 'cost',
});
/** Returns an example with the cost estimate of an expression. */
export const estimateOf = (expression: string, schema = 'type: object'): ExpressionExample => ({
  ...valueOf(expression, schema),
  shows: 'estimate',
});

/** Returns a schema of an object with the given properties, which are lines of YAML. */
export const properties = (...lines: readonly string[]): string =>
  `type: object\nproperties:\n${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n')}`;
/** Returns an example about a definition with a schema of `spec`. */
export const exampleOfDefinition = (schema: string): DocumentsExample => ({ documents: [yamlDefinition(schema)], cause: schema });
/** Returns an example about an object, with the schema of its `spec` and its lines after the metadata. */
export const ofWidget = (schema: string, lines: string): DocumentsExample => ({
  documents: [yamlDefinition(schema), widget(lines)],
  cause: `${schema}\n---\n${lines}`,
});
/** Returns an example about the metadata of an object. `metadata` is the content of the braces of a flow mapping in YAML. */
export const ofMetadata = (metadata: string): DocumentsExample => ({
  documents: [yamlDefinition('type: object'), widget('').replace('{name: a, namespace: default}', `{${metadata}}`)],
  cause: `metadata: {${metadata}}`,
});
