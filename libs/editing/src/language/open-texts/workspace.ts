import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { groupOf } from '#kube';
import type { Minor } from '#kube';
import { ObjectSchemas, serverKinds } from '#policy';
import type { GroupVersionKind, TypeCheckingServer } from '#policy';
import type { KeyPath } from '../../texts/edit-entry.ts';
import { definedKind, DefinitionState, isDefinition } from './definition-state.ts';
import { DocumentPart } from './document-part.ts';
import { TextDocument } from './text-document.ts';
import type { PlacedPart } from './text-document.ts';

/** Texts that are open in an editor, with the states of the definitions that the texts contain. */
export class Workspace {
  readonly #documents = new Map<string, TextDocument>();
  readonly #states = new WeakMap<DocumentPart, DefinitionState>();
  /** First definition of each `group/kind`. Undefined after a change, until it is computed again. */
  #definitions: ReadonlyMap<string, DefinitionState> | undefined;
  /** Type-checking servers by Kubernetes minor version, each with the states of the definitions from which it was created. */
  readonly #servers = new Map<Minor, { readonly states: readonly DefinitionState[]; readonly server: TypeCheckingServer }>();

  get uris(): readonly string[] {
    return [...this.#documents.keys()];
  }

  document(uri: string): TextDocument | undefined {
    return this.#documents.get(uri);
  }

  /** Opens a text, or replaces an open text by its next state. */
  set(uri: string, text: string): void {
    const before = this.#documents.get(uri);
    if (before?.text === text) return;
    const document = before?.edited(text) ?? TextDocument.of(uri, text);
    for (const [i, { part }] of document.parts.entries()) {
      if (this.#states.has(part)) continue;
      const earlier = before?.parts.length === document.parts.length ? before.parts[i] : undefined;
      const state = earlier && this.#states.get(earlier.part);
      if (isDefinition(part.object) || (part.object === undefined && state !== undefined))
        this.#states.set(part, new DefinitionState(part, state));
    }
    this.#documents.set(uri, document);
    this.#definitions = undefined;
  }

  delete(uri: string): void {
    this.#documents.delete(uri);
    this.#definitions = undefined;
  }

  /**
   * Returns the state of a document that is a definition. A document with syntax errors also has a state if it was a definition before.
   * Returns undefined for other documents.
   */
  definition({ part }: PlacedPart): DefinitionState | undefined {
    return this.#states.get(part);
  }

  /**
   * Returns the state of a definition that had syntax errors in all its states. The line that the user is editing is removed first. Returns
   * undefined if the document has no syntax errors, or if the rest of the document is not a definition.
   *
   * @param line line of the document, from 0
   */
  definitionWithoutLine({ part }: PlacedPart, line: number): DefinitionState | undefined {
    if (part.object !== undefined || !/^kind:[ \t]*["']?CustomResourceDefinition\b/m.test(part.text)) return undefined;
    const rest = DocumentPart.of(part.text.split('\n').with(line, '').join('\n'));
    return isDefinition(rest.object) ? new DefinitionState(rest, undefined) : undefined;
  }

  /**
   * Returns the server that type-checks policies in the given Kubernetes minor version. It knows the kinds and schemas of the open
   * definitions, and is reused until the state of a definition changes.
   */
  typeChecking(minor: Minor): TypeCheckingServer {
    const states = [...this.#documents.values()].flatMap(({ parts }) => parts.flatMap((part) => this.definition(part) ?? []));
    const known = this.#servers.get(minor);
    if (known?.states.length === states.length && known.states.every((state, i) => state === states[i])) return known.server;
    const definitions = states.flatMap(({ object }) => object ?? []);
    const schemas = new ObjectSchemas(minor, definitions);
    const server = { minor, kinds: serverKinds(minor, definitions), schemaOf: (kind: GroupVersionKind) => schemas.published(kind) };
    this.#servers.set(minor, { states, server });
    return server;
  }

  /**
   * Returns the first open definition with the given group and kind; undefined if there is none. The version in `apiVersion` is ignored.
   */
  definitionOf(apiVersion: string, kind: string): DefinitionState | undefined {
    this.#definitions ??= this.#definitionsByKind();
    return this.#definitions.get(`${groupOf(apiVersion)}/${kind}`);
  }

  #definitionsByKind(): ReadonlyMap<string, DefinitionState> {
    const found = new Map<string, DefinitionState>();
    for (const { parts } of this.#documents.values())
      for (const part of parts) {
        const state = this.definition(part);
        const defined = definedKind(state?.object);
        const key = defined && `${defined.group}/${defined.kind}`;
        if (state && key !== undefined && !found.has(key)) found.set(key, state);
      }
    return found;
  }
}

/** Object in a text: a whole document, or an item of a List. */
export interface WrittenObject {
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly kind: string;
  /** Index of the object in its List, from 0. Undefined if the object is a whole document. */
  readonly item?: number;
  /** Path of the object in its document: `items` and the index for an item of a List, empty for a whole document. */
  readonly prefix: KeyPath;
}

/** Returns the objects of a document: the items of a List, or the document's object itself. Items that are not objects are left out. */
export function objectsOf(object: JsonObject | undefined): readonly WrittenObject[] {
  if (object === undefined) return [];
  const written = (one: JsonObject, where: Pick<WrittenObject, 'item' | 'prefix'>): WrittenObject => ({
    object: one,
    apiVersion: String(one['apiVersion'] ?? ''),
    kind: String(one['kind'] ?? ''),
    ...where,
  });
  const { items } = object;
  if (object['kind'] !== 'List' || !Array.isArray(items)) return [written(object, { prefix: [] })];
  return items.flatMap((one, item) => (isJsonObject(one) ? [written(one, { item, prefix: ['items', item] })] : []));
}

/** Context of a request from the editor: the open texts and the selected Kubernetes minor version. */
export interface LanguageQuery {
  readonly workspace: Workspace;
  readonly minor: Minor;
}
