import type { Minor } from '#kube';
import { isSince } from '../minors/minors.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { Kind } from '../object/openapi/kind.ts';
import type { Keyword, KeywordFamily, Validator } from './keyword.ts';

/**
 * Keyword of a {@link Vocabulary} (the set of keywords that schemas may contain). `field` is the field of {@link SchemaProps} that holds
 * its value.
 */
export interface VocabularyKeyword extends Keyword {
  readonly field: keyof SchemaProps;
  /** Name of the field in Go's JSONSchemaProps. */
  readonly goField: string;
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps {
    /** Keywords that were known when the schema was decoded. */
    readonly vocabulary: Vocabulary;
  }
}

/**
 * Set of the keywords that schemas may contain. A decoded schema refers to the vocabulary with which it was decoded, and everything derived
 * from the schema uses the same vocabulary.
 */
export class Vocabulary {
  /** Keywords in the order of Go's struct of v1. */
  readonly keywords: readonly VocabularyKeyword[];
  /** Keywords in the order of Go's internal struct. */
  readonly internal: readonly VocabularyKeyword[];
  /** Keywords by their name in definitions. */
  readonly byName: ReadonlyMap<string, VocabularyKeyword>;
  /** Validators of all families, in upstream's order. */
  readonly validators: readonly Validator[];
  /** Schema without any keyword. */
  readonly empty: SchemaProps;
  readonly #families: readonly KeywordFamily<object>[];
  readonly #byMinor = new Map<Minor, Vocabulary>();

  /** @param families Families of keywords, in upstream's order of validators. */
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

  /** Returns the vocabulary with only those keywords that a Kubernetes minor version knows. */
  of(minor: Minor): Vocabulary {
    if (this.keywords.every(({ since }) => isSince(minor, since))) return this;
    let found = this.#byMinor.get(minor);
    if (found === undefined)
      this.#byMinor.set(minor, (found = this.map((keyword) => (isSince(minor, keyword.since) ? keyword : undefined))));
    return found;
  }

  /**
   * Returns the names of those keywords that the schema uses although definitions must not contain them. They are in the order of the
   * errors.
   */
  refused(props: SchemaProps): readonly string[] {
    return this.#families.flatMap((family) => family.refused?.(props) ?? []);
  }

  /** Returns a vocabulary in which `change` replaces each keyword. A keyword is removed if `change` returns undefined. */
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

  /** Returns a vocabulary with additional families. */
  with(...families: readonly KeywordFamily<object>[]): Vocabulary {
    return new Vocabulary([...this.#families, ...families]);
  }
}

/** Returns the keywords that a schema node uses. */
export function presentKeywords(props: SchemaProps): VocabularyKeyword[] {
  return props.vocabulary.keywords.filter(({ form, field }) => !form.isAbsent(props[field]));
}

/** Returns the keywords of a schema node that restrict values of any of the given JSON types. `int` and `float` are two types. */
export function keywordsAbout(props: SchemaProps, ...kinds: readonly Kind[]): VocabularyKeyword[] {
  return props.vocabulary.keywords.filter(
    ({ appliesTo, form, field }) => kinds.some((kind) => appliesTo.includes(kind)) && !form.isAbsent(props[field]),
  );
}

const entriesOf = (keywords: object): [keyof SchemaProps, Keyword][] => Object.entries(keywords) as [keyof SchemaProps, Keyword][];

/** Returns the name of the Go struct field for a JSON name: `MaxItems` for maxItems, `XListType` for x-kubernetes-list-type. */
function goFieldOf(name: string): string {
  const words = name
    .replace(/^\$/, '')
    .replace(/^x-kubernetes/, 'x')
    .split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
