import { FLAG, TEXT } from './forms/scalar-forms.ts';
import type { KeywordFamily } from './keyword.ts';
import { exactly, silent } from './shapes.ts';

/** Keywords that say of which type a value is. */
export interface TypeKeywords {
  readonly type: string;
  readonly nullable: boolean;
}

/** See {@link TypeKeywords}. Their check comes before all others: see `object/openapi/type.ts`. */
export const types: KeywordFamily<TypeKeywords> = {
  keywords: {
    type: silent('type', TEXT, {
      position: 5,
      nesting: 'forbidden',
      words: {
        doc: 'object, array, string, integer, number or boolean',
        value: 'scalar',
        values: ['object', 'array', 'string', 'integer', 'number', 'boolean'],
      },
      change: exactly('type changed'),
    }),
    nullable: silent('nullable', FLAG, {
      position: 37,
      internalPosition: 5.5,
      nesting: 'forbidden',
      words: { doc: 'True if null is allowed.', value: 'scalar', values: ['true', 'false'] },
      change: { kind: 'permission', lost: 'null no longer allowed' },
    }),
  },
};
