import { readJson, readYaml, utf8Text } from '#go';
import type { CancellationToken, JsonReading, YamlReading } from '#go';
import { MAX_BODY_BYTES } from '#kube';
import type { FieldValidation } from '../options/options-schema.ts';

/** All notations of documents. Processes send the index of a notation in this list. */
export const NOTATIONS = ['json', 'yaml', 'unread'] as const;

/**
 * Notation of a document's bytes. The bytes of an `unread` document are not the document, but the error for which Go's reader does not return
 * it, in UTF-8. Objects can be `unread`, and definitions that Crossplane does not make of its CompositeResourceDefinition.
 */
export type Notation = (typeof NOTATIONS)[number];

/** One definition or object in the received bytes, before parsing. */
export interface DocumentSlice {
  readonly bytes: Uint8Array;
  readonly notation: Notation;
}

/** Definition in the received bytes, before parsing. */
export interface DefinitionSlice extends DocumentSlice {
  /** Treatment of the definition's unknown and duplicate fields. If it is absent, the option of the request applies. */
  readonly fieldValidation?: FieldValidation | undefined;
}

/** Position of a document in the text that contains it. */
export interface DocumentOrigin {
  /** Offset of the document's first byte, from 0. */
  readonly start: number;
  /** Offset of the first byte after the document. */
  readonly end: number;
  /**
   * Index of the document in its YAML list, from 0. Absent if the document is not an item of a list. If present, `start` and `end` are the
   * positions of the whole list.
   */
  readonly item?: number | undefined;
}

/** Document with its position in the text that it was cut from. */
export interface CutDocument extends DocumentSlice {
  readonly origin: DocumentOrigin;
}

/** Definition that the client sent in an earlier request and that the service kept. */
export interface KeptSlice extends DocumentSlice {
  /** Key under which the definition is stored and accounted. */
  readonly keptAs: string;
}

/** Maximum size of an item, in bytes. An item may contain an object, an old object and other fields. */
export const MAX_ITEM_BYTES = 2 * MAX_BODY_BYTES + 64 * 1024;

/** Parses a document as JSON or YAML, according to its notation. Throws `Cancelled` if the token is cancelled. */
export function readSlice({ bytes, notation }: DocumentSlice, token?: CancellationToken): JsonReading | YamlReading {
  if (notation === 'unread') return { ok: false, error: utf8Text(bytes), line: 0 };
  return notation === 'yaml' ? readYaml(bytes, token) : readJson(bytes, token);
}
