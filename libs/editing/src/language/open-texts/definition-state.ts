import { AnalyzedDefinition, compileStoredDefinition, definitionsOfComposite, DefinitionMemory } from '#crd';
import type { CompiledDefinition } from '#crd';
import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { isCompositeDefinition } from '#kube';
import type { Minor } from '#kube';
import type { DocumentPart } from './document-part.ts';

/**
 * State of a definition in an editor. It has an analysis (verdict, rule costs and advice) for each Kubernetes minor version and keeps the
 * last state without syntax errors.
 */
export class DefinitionState {
  readonly part: DocumentPart;
  readonly #before: DefinitionState | undefined;
  readonly #memories: Map<Minor, DefinitionMemory>;
  readonly #analyses = new Map<Minor, AnalyzedDefinition>();
  readonly #compiled = new Map<Minor, CompiledDefinition | undefined>();

  /** @param before previous state of the definition; undefined if there is none */
  constructor(part: DocumentPart, before: DefinitionState | undefined) {
    this.part = part;
    this.#memories = before === undefined ? new Map() : before.#memories;
    // If the text is unreadable, keeps only the last readable state, and not the unreadable states between.
    if (part.object === undefined && before !== undefined) this.#before = before.part.object === undefined ? before.#before : before;
  }

  /** Parsed definition. If the current text has syntax errors, this is the definition from the last state without syntax errors. */
  get object(): JsonObject | undefined {
    return this.#made ?? this.part.object ?? this.#before?.object;
  }

  /** Returns the analysis (verdict, rule costs and advice) of the current state of the definition for a Kubernetes minor version. */
  analysis(minor: Minor): AnalyzedDefinition {
    const known = this.#analyses.get(minor);
    if (known !== undefined) return known;
    const memory = this.#memories.get(minor) ?? new DefinitionMemory(minor);
    this.#memories.set(minor, memory);
    const made = new AnalyzedDefinition(this.#made ?? this.part.body, memory);
    this.#analyses.set(minor, made);
    return made;
  }

  /** Returns the analysis of the definition's last state without syntax errors. Returns undefined if there is no such state. */
  readable(minor: Minor): AnalyzedDefinition | undefined {
    return this.part.object === undefined ? this.#before?.readable(minor) : this.analysis(minor);
  }

  /**
   * Returns the definition compiled for the validation of objects. Returns undefined if its current text has syntax errors, or if a server
   * of the given Kubernetes minor version rejects the definition.
   */
  compiled(minor: Minor): CompiledDefinition | undefined {
    if (!this.#compiled.has(minor)) this.#compiled.set(minor, this.#compile(minor));
    return this.#compiled.get(minor);
  }

  /** Number of expressions that were compiled for this definition, over all its states (the text after each edit). */
  get compilations(): number {
    return [...this.#memories.values()].reduce((sum, { compilations }) => sum + compilations, 0);
  }

  /**
   * Definition that Crossplane makes of the text for the composite resource. Undefined if the text is no CompositeResourceDefinition, or if
   * Crossplane makes none of it. The server's error about the text's own type then shows that something is wrong.
   */
  get #made(): JsonObject | undefined {
    const { object } = this.part;
    if (object === undefined || !isCompositeDefinition(object['apiVersion'], object['kind'])) return undefined;
    const [made] = definitionsOfComposite(object);
    return made?.ok === true ? made.definition : undefined;
  }

  #compile(minor: Minor): CompiledDefinition | undefined {
    if (this.part.object === undefined || !this.analysis(minor).verdict.accepted) return undefined;
    const outcome = compileStoredDefinition(this.#made ?? this.part.object, { minor });
    return outcome.ok ? outcome.definition : undefined;
  }
}

/** Returns true if an object is a CustomResourceDefinition, or a CompositeResourceDefinition of Crossplane. */
export function isDefinition(object: JsonObject | undefined): boolean {
  if (isCompositeDefinition(object?.['apiVersion'], object?.['kind'])) return true;
  return object?.['kind'] === 'CustomResourceDefinition' && String(object['apiVersion']).startsWith('apiextensions.k8s.io/');
}

/** Returns the group and kind that a definition defines; undefined if `object` is not a definition. */
export function definedKind(object: JsonObject | undefined): { readonly group: string; readonly kind: string } | undefined {
  const spec = object?.['spec'];
  if (!isJsonObject(spec) || !isJsonObject(spec['names'])) return undefined;
  return { group: String(spec['group'] ?? ''), kind: String(spec['names']['kind'] ?? '') };
}
