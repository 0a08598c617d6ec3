import type { ValidationRule } from '../schema/schema-props.ts';
import { RULES } from './forms/record-forms.ts';
import { FLAG, OPTIONAL_FLAG, OPTIONAL_TEXT, TEXTS } from './forms/scalar-forms.ts';
import type { KeywordFamily } from './keyword.ts';
import { exactChange, keywordWithoutChecks } from './form.ts';

/** The x-kubernetes-* keywords. Pruning, merging, list types and rules depend on them. */
export interface ExtensionKeywords {
  readonly preserveUnknownFields: boolean | undefined;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listMapKeys: readonly string[];
  readonly listType: string | undefined;
  readonly mapType: string | undefined;
  readonly rules: readonly ValidationRule[];
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps extends ExtensionKeywords {}
}

const nesting = 'forbidden';
const TRUE = { value: 'scalar', values: ['true'] } as const;

/** Group of the `x-kubernetes-…` schema keywords, whose values {@link ExtensionKeywords} contains. */
export const extensions: KeywordFamily<ExtensionKeywords> = {
  keywords: {
    preserveUnknownFields: keywordWithoutChecks('x-kubernetes-preserve-unknown-fields', OPTIONAL_FLAG, {
      position: 38,
      nesting,
      docs: { doc: 'True if the server keeps fields that the schema does not contain, instead of removing them.', ...TRUE },
      change: { kind: 'permission', lost: 'unknown fields no longer kept' },
    }),
    embeddedResource: keywordWithoutChecks('x-kubernetes-embedded-resource', FLAG, {
      position: 39,
      nesting,
      docs: { doc: 'True if the object is a resource with apiVersion, kind and metadata.', ...TRUE },
      change: exactChange('embedded resource changed'),
    }),
    intOrString: keywordWithoutChecks('x-kubernetes-int-or-string', FLAG, {
      position: 40,
      nesting,
      docs: { doc: 'True if the value is an integer or a string.', ...TRUE },
      change: exactChange('int-or-string changed'),
    }),
    listMapKeys: keywordWithoutChecks('x-kubernetes-list-map-keys', TEXTS, {
      position: 41,
      nesting,
      docs: { doc: 'The fields that identify an element of a list of type map.', value: 'list' },
      change: exactChange('list map keys changed'),
    }),
    listType: keywordWithoutChecks('x-kubernetes-list-type', OPTIONAL_TEXT, {
      position: 42,
      nesting,
      docs: {
        doc: 'atomic, set or map: how server-side apply merges lists. Ratcheting and oldSelf can find the old value of an element only in lists of type map.',
        value: 'scalar',
        values: ['atomic', 'set', 'map'],
      },
      change: exactChange('list type changed'),
    }),
    mapType: keywordWithoutChecks('x-kubernetes-map-type', OPTIONAL_TEXT, {
      position: 43,
      nesting,
      docs: {
        doc: 'granular or atomic: whether server-side apply merges the fields of an object one by one, or replaces the whole object.',
        value: 'scalar',
        values: ['granular', 'atomic'],
      },
      change: exactChange('map type changed'),
    }),
    rules: keywordWithoutChecks('x-kubernetes-validations', RULES, {
      position: 44,
      nesting,
      docs: { doc: 'CEL rules that the value must satisfy. In a rule, `self` is the value.', value: 'list' },
      change: { kind: 'rules' },
    }),
  },
};
