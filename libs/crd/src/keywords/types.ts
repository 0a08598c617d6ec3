import { FLAG, TEXT } from './forms/scalar-forms.ts';
import type { KeywordFamily } from './keyword.ts';
import { exactChange, keywordWithoutChecks } from './shapes.ts';

/** Keywords that restrict the type of a value. */
export interface TypeKeywords {
  readonly type: string;
  readonly nullable: boolean;
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps extends TypeKeywords {}
}

/** Declaration of the keywords in {@link TypeKeywords}. They are checked before all other keywords, see `compile-validator.ts`. */
export const types: KeywordFamily<TypeKeywords> = {
  keywords: {
    type: keywordWithoutChecks('type', TEXT, {
      position: 5,
      nesting: 'forbidden',
      docs: {
        doc: 'object, array, string, integer, number or boolean',
        value: 'scalar',
        values: ['object', 'array', 'string', 'integer', 'number', 'boolean'],
      },
      change: exactChange('type changed'),
    }),
    nullable: keywordWithoutChecks('nullable', FLAG, {
      position: 37,
      internalPosition: 5.5,
      nesting: 'forbidden',
      docs: { doc: 'True if null is allowed.', value: 'scalar', values: ['true', 'false'] },
      change: { kind: 'permission', lost: 'null no longer allowed' },
    }),
  },
};
