import { AnalyzedDefinition, compileStoredDefinition, DefinitionMemory } from '#crd';
import type { CompiledDefinition } from '#crd';
import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import type { DocumentPart } from './document-part.ts';

/** A definition in an editor: its verdict in each minor, and the facts of its last readable state. */
export class DefinitionState {
  readonly part: DocumentPart;
  readonly #before: DefinitionState | undefined;
  readonly #memories: Map<Minor, DefinitionMemory>;
  readonly #analyses = new Map<Minor, AnalyzedDefinition>();
  readonly #compiled = new Map<Minor, CompiledDefinition | undefined>();

  /** @param before the state before an edit */
  constructor(part: DocumentPart, before: DefinitionState | undefined) {
    this.part = part;
    this.#memories = before === undefined ? new Map() : before.#memories;
    // Of states that cannot be read only the last that can is kept.
    if (part.object === undefined && before !== undefined) this.#before = before.part.object === undefined ? before.#before : before;
  }

  /** The definition; its last readable state if it cannot be read. */
  get object(): JsonObject | undefined {
    return this.part.object ?? this.#before?.object;
  }

  /** Returns the analysis of its present state by a server of a minor. */
  analysis(minor: Minor): AnalyzedDefinition {
    const known = this.#analyses.get(minor);
    if (known !== undefined) return known;
    const memory = this.#memories.get(minor) ?? new DefinitionMemory(minor);
    this.#memories.set(minor, memory);
    const made = new AnalyzedDefinition(this.part.body, memory);
    this.#analyses.set(minor, made);
    return made;
  }

  /** Returns the analysis of its last state that was not broken. */
  readable(minor: Minor): AnalyzedDefinition | undefined {
    return this.part.object === undefined ? this.#before?.readable(minor) : this.analysis(minor);
  }

  /** It compiled for objects; undefined where a server refuses it. */
  compiled(minor: Minor): CompiledDefinition | undefined {
    if (!this.#compiled.has(minor)) this.#compiled.set(minor, this.#compile(minor));
    return this.#compiled.get(minor);
  }

  /** Expressions that were compiled for it, over all states. */
  get compilations(): number {
    return [...this.#memories.values()].reduce((sum, { compilations }) => sum + compilations, 0);
  }

  #compile(minor: Minor): CompiledDefinition | undefined {
    const { object } = this.part;
    if (object === undefined || !this.analysis(minor).verdict.accepted) return undefined;
    const outcome = compileStoredDefinition(object, { minor });
    return outcome.ok ? outcome.definition : undefined;
  }
}

/** Returns true if an object is a CustomResourceDefinition. */
export function isDefinition(object: JsonObject | undefined): boolean {
  return object?.['kind'] === 'CustomResourceDefinition' && String(object['apiVersion']).startsWith('apiextensions.k8s.io/');
}

/** Returns the group and kind that a definition defines. */
export function definedKind(object: JsonObject | undefined): { readonly group: string; readonly kind: string } | undefined {
  const spec = object?.['spec'];
  if (!isJsonObject(spec) || !isJsonObject(spec['names'])) return undefined;
  return { group: String(spec['group'] ?? ''), kind: String(spec['names']['kind'] ?? '') };
}
