import { builtInKinds, builtInTypes, readTyped, setDefaults } from '#builtin';
import { EMPTY_SCHEMA } from '#cel';
import type { ValueSchema } from '#cel';
import type { BuiltInKind } from '#builtin';
import { applyDefaults, compileStoredDefinition, publishedSchema } from '#crd';
import type { CompiledDefinition, ServedVersion } from '#crd';
import { copyJson, isJsonObject, newJsonObject, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import { apiVersionOf, kindText } from '../request/group-version.ts';
import type { GroupVersionKind } from '../request/group-version.ts';
import { splitApiVersion } from '../params/param-objects.ts';
import { fromUnstructured } from '../mutate/from-unstructured.ts';
import type { FinishedObject } from '../mutate/from-unstructured.ts';
import type { Atom, AtomRef } from '../mutate/merge/atom.ts';
import { builtInAtom } from '../mutate/merge/built-in-atom.ts';
import { builtInSchema } from './built-in-schema.ts';
import { publishedResource } from './custom-schema.ts';
import { patchedKind, statedType, unsuitable } from './patched-type.ts';
import { customKindAtom } from '../mutate/merge/openapi-atom.ts';

/**
 * The merge type of a kind. `unknown-group` means that the server publishes no schema of its group and version,
 * `unknown-kind` none of the kind.
 */
export type MergeType = 'unknown-group' | 'unknown-kind' | AtomRef;

/** An object that was decoded, or why it was not; `isFault`: a fault of the policy, not an error that ends the request. */
export type DecodedObject =
  { readonly ok: true; readonly object: JsonObject } | { readonly ok: false; readonly error: string; readonly isFault: boolean };

/** Kinds that no schema is published of. */
const UNPUBLISHED = /(?:Options|List)$/;

/** The schemas of a server: of its built-in kinds and of definitions. */
export class ObjectSchemas {
  readonly #minor: Minor;
  readonly #definitions: readonly CompiledDefinition[];
  readonly #types = new Map<string, MergeType>();
  readonly #setsDefaults: boolean;

  /**
   * @param definitions CustomResourceDefinitions as stored; those that cannot be read are not there
   * @param setsDefaults whether mutated objects of built-in kinds get a server's defaults, as in a write: they are no part of k8s.io/apiserver
   */
  constructor(minor: Minor, definitions: readonly JsonValue[], { setsDefaults = false }: { readonly setsDefaults?: boolean } = {}) {
    this.#minor = minor;
    this.#setsDefaults = setsDefaults;
    this.#definitions = definitions.flatMap((document) => {
      const compiled = compileStoredDefinition(document, { minor });
      return compiled.ok ? [compiled.definition] : [];
    });
  }

  /** Returns the merge type of a kind. */
  mergeType(kind: GroupVersionKind): MergeType {
    const key = kindText(kind);
    const known = this.#types.get(key) ?? this.#findType(kind);
    this.#types.set(key, known);
    return known;
  }

  /** The schema that is published of a kind, by which expressions are checked. */
  published(kind: GroupVersionKind): ValueSchema | undefined {
    const custom = this.#serve(kind);
    if (custom === undefined) {
      const builtIn = this.builtIn(kind);
      return builtIn && builtInSchema(builtIn.type);
    }
    const schema = publishedSchema(custom);
    if (schema === undefined) return { ...EMPTY_SCHEMA, type: 'object' };
    return publishedResource(schema, builtInSchema(builtInTypes(this.#minor).struct('meta/v1.ObjectMeta')));
  }

  /** The built-in kind of a name, whose objects are Go structs. */
  builtIn(kind: GroupVersionKind): BuiltInKind | undefined {
    return builtInKinds(this.#minor).kind(apiVersionOf(kind), kind.kind);
  }

  /**
   * Decodes an object strictly after a JSON patch. It is an error if the Go type of its kind lacks a field.
   *
   * @param type the kind whose Go type holds the object; undefined: none does
   */
  decoded(object: JsonValue, type: BuiltInKind | undefined): DecodedObject {
    const stated = statedType(object);
    if (!stated.ok) return { ok: false, error: stated.error, isFault: false };
    if (type === undefined) return decodedCustom(object);
    const kind = patchedKind(stated.value, type, this.#minor);
    if (!kind.ok) return { ok: false, error: kind.error, isFault: false };
    const reading = readTyped(object, kind.value, this.#minor);
    if (!reading.ok) return { ...reading, isFault: false };
    const { strictErrors } = reading;
    if (strictErrors.length > 0) return { ok: false, error: `strict decoding error: ${strictErrors.join(', ')}`, isFault: false };
    const problem = unsuitable(kind.value, type);
    if (problem !== undefined) return { ok: false, error: problem, isFault: true };
    return { ok: true, object: Object.assign(newJsonObject(), reading.object, { apiVersion: type.apiVersion, kind: kind.value.kind }) };
  }

  /** An object after a merge, as its Go type holds it. */
  converted(object: JsonObject, type: BuiltInKind | undefined): FinishedObject {
    return type === undefined ? { ok: true, object } : fromUnstructured(object, type, this.#minor);
  }

  /** A mutated object with the defaults of the schema of the version that it says, or of its built-in kind. Source: mutating/dispatcher.go `dispatchOne` (1.37). */
  defaulted(object: JsonObject, matched: GroupVersionKind): JsonObject {
    const { group, kind } = matched;
    const [, written] = splitApiVersion(typeof object['apiVersion'] === 'string' ? object['apiVersion'] : '');
    const version = this.#serve({ group, kind, version: written });
    const builtIn = version === undefined && this.#setsDefaults ? this.builtIn(matched) : undefined;
    if (version === undefined && builtIn === undefined) return object;
    const copy = copyJson(object);
    if (version !== undefined) applyDefaults(copy, version.structural);
    if (builtIn !== undefined) setDefaults(copy, builtIn, this.#minor);
    return copy;
  }

  #serve({ group, version, kind }: GroupVersionKind): ServedVersion | undefined {
    const definition = this.#definitions.find((one) => one.group === group && one.kind === kind);
    const served = definition?.serve(version);
    return served?.ok === true ? served.version : undefined;
  }

  #findType(kind: GroupVersionKind): MergeType {
    const custom = this.#serve(kind);
    if (custom !== undefined) return once(() => customKindAtom(publishedSchema(custom)));
    const builtIn = this.builtIn(kind);
    if (builtIn !== undefined) return UNPUBLISHED.test(kind.kind) ? 'unknown-kind' : once(() => builtInAtom(builtIn.type));
    const apiVersion = apiVersionOf(kind);
    const isPublished =
      this.#definitions.some((one) => one.group === kind.group && one.versions.includes(kind.version)) ||
      [...builtInKinds(this.#minor).all].some((one) => one.apiVersion === apiVersion);
    return isPublished ? 'unknown-kind' : 'unknown-group';
  }
}

/** Source: k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/helpers.go `unstructuredJSONScheme.decode` (1.37). */
function decodedCustom(object: JsonValue): DecodedObject {
  if (isJsonObject(object) && typeof object['kind'] === 'string' && object['kind'] !== '') return { ok: true, object };
  return { ok: false, error: `Object 'Kind' is missing in '${writeJson(object)}'`, isFault: false };
}

function once(make: () => Atom): AtomRef {
  let atom: Atom | undefined;
  return () => (atom ??= make());
}
