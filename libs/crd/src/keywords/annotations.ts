import type { JsonValue } from '#go';
import type { ExternalDocs } from '../schema/schema-props.ts';
import { DOCS } from './forms/record-forms.ts';
import { OWN_VALUE, TEXT, VALUE } from './forms/scalar-forms.ts';
import type { KeywordFamily } from './keyword.ts';
import { exactChange, keywordWithoutChecks } from './form.ts';

/** Keywords that document a value, and the keyword for its default. */
export interface Annotations {
  readonly description: string;
  readonly title: string;
  readonly default: JsonValue | undefined;
  readonly externalDocs: ExternalDocs | undefined;
  readonly example: JsonValue | undefined;
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps extends Annotations {}
}

/** Declaration of the keywords that document a value (such as `description`), and of `default`. See {@link Annotations}. */
export const annotations: KeywordFamily<Annotations> = {
  keywords: {
    description: keywordWithoutChecks('description', TEXT, {
      position: 4,
      nesting: 'forbidden',
      docs: { doc: 'The meaning of the field; kubectl explain shows it.', value: 'scalar' },
    }),
    title: keywordWithoutChecks('title', TEXT, {
      position: 7,
      nesting: 'forbidden',
      docs: { doc: 'A short title of the field. It has no effect.', value: 'scalar' },
    }),
    default: keywordWithoutChecks('default', OWN_VALUE, {
      position: 8,
      nesting: 'forbidden',
      docs: { doc: 'The value that the server fills in if the field is missing.', value: 'scalar' },
      change: exactChange('default changed'),
    }),
    externalDocs: keywordWithoutChecks('externalDocs', DOCS, {
      position: 35,
      nesting: 'documentation',
      docs: { doc: 'A link to documentation.', value: 'map' },
    }),
    example: keywordWithoutChecks('example', VALUE, {
      position: 36,
      nesting: 'documentation',
      docs: { doc: 'An example.', value: 'scalar' },
    }),
  },
};
