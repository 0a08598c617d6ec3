import { isJsonObject, utf8Bytes } from '#go';
import { cutDocuments } from '#runner/in-process';
import { clusterObjects } from '#runner';
import { readSlice } from '#documents';
import type { CutDocument, DocumentSlice, PolicyDocuments } from '#documents';
import { pairDocuments } from '#service';
import { SourceFile } from '#editing';
import { PANES } from '../state/texts.ts';
import type { Pane, Texts } from '../state/texts.ts';

const UNLIMITED = { definitions: Infinity, objects: Infinity, areFiles: true } as const;
const UNSTOPPABLE = { cancelled: false } as const;

/** Document of the page, with the editor whose text contains it. */
export interface PaneDocument {
  readonly pane: Pane;
  readonly file: SourceFile;
  readonly slice: DocumentSlice;
  readonly origin: CutDocument['origin'];
}

/** Documents from the editors of the page that the page validates. Stored objects and changed definitions are not included. */
export interface PaneDocuments {
  readonly definitions: readonly PaneDocument[];
  readonly policyDocuments: readonly PaneDocument[];
  readonly objects: readonly PaneDocument[];
  readonly policies: PolicyDocuments;
}

/**
 * Splits the texts of panes (text fields of the page) into documents. Returns the documents as definitions, policies and objects, because
 * any pane may contain any kind. By default, reads all panes except those for stored objects and changed definitions.
 */
export function documentsIn(
  texts: Texts,
  panes: readonly Pane[] = PANES.filter((pane) => pane !== 'old' && pane !== 'changed'),
): PaneDocuments {
  const cut = panes
    .filter((pane) => texts[pane].trim() !== '')
    .map((pane) => {
      const bytes = utf8Bytes(texts[pane]);
      const file = new SourceFile(bytes);
      const found = cutDocuments(bytes, 'yaml', UNLIMITED, UNSTOPPABLE);
      const place = (slice: CutDocument): PaneDocument => ({ pane, file, slice, origin: slice.origin });
      return { found, place };
    });
  const all = (which: 'definitions' | 'policies' | 'objects'): PaneDocument[] => cut.flatMap(({ found, place }) => found[which].map(place));
  const policyDocuments = all('policies');
  const cluster = policyDocuments.length === 0 ? [] : clusterObjects(cut.map(({ found }) => found));
  return {
    definitions: all('definitions'),
    policyDocuments,
    objects: all('objects'),
    policies: { policies: policyDocuments.map(({ slice }) => slice), cluster },
  };
}

/**
 * Returns the documents in the page's editors. An object that is also among the stored objects becomes an update. `written` contains the
 * objects as the user wrote them, without stored objects.
 */
export function writesIn(texts: Texts): PaneDocuments & { readonly written: readonly PaneDocument[] } {
  const documents = documentsIn(texts);
  const old = documentsIn(texts, ['old']).objects;
  const objects = old.length === 0 ? documents.objects : pairDocuments(documents.objects, old, { asSent: false });
  return { ...documents, objects, written: documents.objects };
}

/** Returns the source text of a document, without its separator. */
export function writtenText({ file, origin }: PaneDocument): string {
  return file.textBetween(origin.start, origin.end).replace(/^---[^\n]*\n/, '');
}

/** Returns the value of a document at the path `keys`. Returns undefined if there is no value, or if the document cannot be read. */
export function valueOf(slice: DocumentSlice, ...keys: readonly string[]): unknown {
  const reading = readSlice(slice);
  let value = reading.ok ? reading.value : undefined;
  for (const key of keys) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}

/** Returns the name of a definition; empty if the definition has no name. */
export const definedName = (slice: DocumentSlice): string => String(valueOf(slice, 'metadata', 'name') ?? '');
