import { isJsonObject } from '#go';
import type { JsonValue } from '#go';
import { groupOf } from '#kube';
import { readSlice } from '#documents';
import type { DocumentSlice } from '#documents';
import { asSingleBlock } from '#service';
import type { PlacedDocument, PlacedDocuments } from './read-documents.ts';

/** Group and kind of the objects of a definition. */
export interface WantedKind {
  readonly group: string;
  readonly kind: string;
}

/** Name of a definition, and the group and kind that it defines. */
export interface DefinedKind extends WantedKind {
  readonly name: string;
}

/** Objects on which the effects of a change are computed. They are read in blocks, with the origin of each object. */
export interface TriedObjects extends AsyncIterable<readonly DocumentSlice[]> {
  /** Returns the origin of an object. Call it before {@link done}. */
  documentOf(index: number): Pick<PlacedDocument, 'source' | 'place'>;
  /** Records that the verdicts on `count` more objects were computed. */
  done(count: number): void;
  /** Ends the reading of the objects. Returns the reason why some objects could not be read; undefined if all objects were read. */
  end(): string | undefined;
}

/** Groups of the records of writes: audit events and AdmissionReviews. Such a document holds an object of another kind. */
const RECORD_GROUPS: readonly string[] = ['audit.k8s.io', 'admission.k8s.io'];

/** Objects of files, by kind. */
export class ObjectsOfFiles {
  readonly #objects: readonly PlacedDocument[];
  /** Kind of each object as `group/kind`; undefined if it cannot be read. The record of a write has the kind of the written object. */
  readonly #kinds: (string | undefined)[];

  constructor({ objects, texts }: PlacedDocuments) {
    this.#objects = objects;
    this.#kinds = texts.flatMap(({ types: { names, of } }) => {
      const kinds = names.map(writtenKind);
      return Array.from(of, (place) => kinds[place]);
    });
    this.#kinds.forEach((kind, i) => {
      const slice = objects[i]?.slice;
      if (slice !== undefined && RECORD_GROUPS.some((group) => kind?.startsWith(`${group}/`))) this.#kinds[i] = recordedKind(slice);
    });
  }

  /** Returns the number of objects that are of none of the given kinds. Documents of unknown kind are not counted. */
  others(wanted: readonly WantedKind[]): number {
    const kinds = new Set<string | undefined>([undefined, ...wanted.map(keyOf)]);
    return this.#kinds.filter((kind) => !kinds.has(kind)).length;
  }

  /** Returns the documents of unknown kind, such as unreadable ones. */
  get unknown(): readonly PlacedDocument[] {
    return this.#objects.filter((_, i) => this.#kinds[i] === undefined);
  }

  /** Returns the number of objects of a kind. */
  count(kind: WantedKind): number {
    return this.#kinds.filter((one) => one === keyOf(kind)).length;
  }

  /** Returns the objects of a kind. If `withUnknown` is set, documents of unknown kind are among them, so that they are reported. */
  of(kind: WantedKind, withUnknown: boolean): TriedObjects {
    const key = keyOf(kind);
    const objects = this.#objects.filter((_, i) => (this.#kinds[i] === undefined ? withUnknown : this.#kinds[i] === key));
    return {
      [Symbol.asyncIterator]: () => asSingleBlock(objects.map(({ slice }) => slice))[Symbol.asyncIterator](),
      documentOf: (index) => objects[index] ?? { source: '' },
      done: () => undefined,
      end: () => undefined,
    };
  }
}

const keyOf = ({ group, kind }: WantedKind): string => `${group}/${kind}`;

/** Returns the kind in the name of a type, such as `example.com/v1 Widget`; undefined if the name lacks a part. */
function writtenKind(name: string): string | undefined {
  const [apiVersion = '', kind = ''] = name.split(' ');
  if ([apiVersion, kind].some((text) => text === '' || text === 'undefined')) return undefined;
  return keyOf({ group: groupOf(apiVersion), kind });
}

/**
 * Returns the kind of the object that the record of a write holds: an audit event, or an AdmissionReview. Undefined if the record holds no
 * object with a kind.
 */
function recordedKind(slice: DocumentSlice): string | undefined {
  const reading = readSlice(slice);
  const record = reading.ok ? reading.value : null;
  const request = memberOf(record, 'request');
  const objects = [
    memberOf(record, 'responseObject'),
    memberOf(record, 'requestObject'),
    memberOf(request, 'object'),
    memberOf(request, 'oldObject'),
  ];
  const names = objects.map((object) => `${String(memberOf(object, 'apiVersion'))} ${String(memberOf(object, 'kind'))}`);
  return names.map(writtenKind).find((kind) => kind !== undefined);
}

const memberOf = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  value !== undefined && isJsonObject(value) ? value[key] : undefined;

/** Returns the name, group and kind of a definition, or the reason why they cannot be read. */
export function namedDefinition(slice: DocumentSlice): DefinedKind | string {
  if (slice.notation === 'unread') return Buffer.from(slice.bytes).toString();
  const reading = readSlice(slice);
  if (!reading.ok) return reading.error;
  return {
    name: textAt(reading.value, 'metadata', 'name'),
    group: textAt(reading.value, 'spec', 'group'),
    kind: textAt(reading.value, 'spec', 'names', 'kind'),
  };
}

function textAt(value: JsonValue, ...keys: readonly string[]): string {
  const found = keys.reduce<JsonValue | undefined>((at, key) => (at !== undefined && isJsonObject(at) ? at[key] : undefined), value);
  return typeof found === 'string' ? found : '';
}
