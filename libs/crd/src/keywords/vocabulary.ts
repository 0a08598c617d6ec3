import type { Minor } from '#kube';
import { isSince } from '../minors/minors.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { Kind } from '../object/openapi/kind.ts';
import type { Keyword, KeywordFamily, Validator } from './keyword.ts';

/** A keyword of a vocabulary, with the field of {@link SchemaProps} that holds its value. */
export interface VocabularyKeyword extends Keyword {
  readonly field: keyof SchemaProps;
  /** The field of Go's JSONSchemaProps. */
  readonly goField: string;
}

/** The keywords that schemas may have. A decoded schema carries the vocabulary that it was read by: all that follows from a schema derives from it. */
export class Vocabulary {
  /** In the order of Go's struct of v1. */
  readonly keywords: readonly VocabularyKeyword[];
  /** In the order of Go's internal struct. */
  readonly internal: readonly VocabularyKeyword[];
  /** Keywords by the names that definitions use. */
  readonly byName: ReadonlyMap<string, VocabularyKeyword>;
  /** In upstream's order of validators. */
  readonly validators: readonly Validator[];
  /** A schema that says nothing. */
  readonly empty: SchemaProps;
  readonly #families: readonly KeywordFamily<object>[];
  readonly #byMinor = new Map<Minor, Vocabulary>();

  /** @param families in upstream's order of validators */
  constructor(families: readonly KeywordFamily<object>[]) {
    this.#families = families;
    this.keywords = families
      .flatMap(({ keywords }) => entriesOf(keywords).map(([field, keyword]) => ({ goField: goFieldOf(keyword.name), ...keyword, field })))
      .sort((a, b) => a.position - b.position);
    const placeOf = ({ position, internalPosition }: Keyword): number => internalPosition ?? position;
    this.internal = [...this.keywords].sort((a, b) => placeOf(a) - placeOf(b));
    this.byName = new Map(this.keywords.map((keyword) => [keyword.name, keyword]));
    this.validators = families.flatMap(({ validator }) => (validator === undefined ? [] : [validator]));
    const fields = this.keywords.map(({ field, form }) => [field, form.absent] as const);
    this.empty = Object.fromEntries<unknown>([...fields, ['vocabulary', this]]) as unknown as SchemaProps;
  }

  /** Returns the keywords that a minor knows. */
  of(minor: Minor): Vocabulary {
    if (this.keywords.every(({ since }) => isSince(minor, since))) return this;
    let found = this.#byMinor.get(minor);
    if (found === undefined)
      this.#byMinor.set(minor, (found = this.map((keyword) => (isSince(minor, keyword.since) ? keyword : undefined))));
    return found;
  }

  /** Returns the names of the keywords that a schema uses and no definition may have, in the order of the errors. */
  refused(props: SchemaProps): readonly string[] {
    return this.#families.flatMap((family) => family.refused?.(props) ?? []);
  }

  /** Returns a vocabulary of changed keywords; undefined leaves one out. */
  map(change: (keyword: Keyword) => Keyword | undefined): Vocabulary {
    return new Vocabulary(
      this.#families.map((family) => {
        const kept = entriesOf(family.keywords).flatMap(([field, keyword]) => {
          const changed = change(keyword);
          return changed === undefined ? [] : [[field, changed] as const];
        });
        return { ...family, keywords: Object.fromEntries(kept) };
      }),
    );
  }

  /** Returns a vocabulary with more families. */
  with(...families: readonly KeywordFamily<object>[]): Vocabulary {
    return new Vocabulary([...this.#families, ...families]);
  }
}

/** Returns the keywords that a schema node uses. */
export function presentKeywords(props: SchemaProps): VocabularyKeyword[] {
  return props.vocabulary.keywords.filter(({ form, field }) => !form.isAbsent(props[field]));
}

/** Returns the keywords of a schema node that ask something of values of a kind. */
export function keywordsAbout(props: SchemaProps, ...kinds: readonly Kind[]): VocabularyKeyword[] {
  return props.vocabulary.keywords.filter(
    ({ concerns, form, field }) => kinds.some((kind) => concerns.includes(kind)) && !form.isAbsent(props[field]),
  );
}

const entriesOf = (keywords: object): [keyof SchemaProps, Keyword][] => Object.entries(keywords) as [keyof SchemaProps, Keyword][];

/** Returns the field of a Go struct that has a name in JSON: `MaxItems` for maxItems, `XListType` for x-kubernetes-list-type. */
function goFieldOf(name: string): string {
  const words = name
    .replace(/^\$/, '')
    .replace(/^x-kubernetes/, 'x')
    .split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
