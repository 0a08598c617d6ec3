import { EMPTY_SCHEMA } from '#cel';
import type { ValueSchema } from '#cel';
import { applyDefaults, compileStoredDefinition, publishedSchema } from '#crd';
import type { CompiledDefinition, ServedVersion } from '#crd';
import { copyJson, isJsonObject, newJsonObject, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import { apiVersionOf, kindText } from '../request/kinds.ts';
import type { GroupVersionKind } from '../request/kinds.ts';
import { splitApiVersion } from '../params.ts';
import { fromUnstructured } from '../mutate/from-unstructured.ts';
import type { FinishedObject } from '../mutate/from-unstructured.ts';
import type { Atom, AtomRef } from '../mutate/merge/atom.ts';
import { builtInAtom, customKindAtom } from '../mutate/merge/schema-atoms.ts';
import { builtInKinds } from '../built-in/table/built-in-kind.ts';
import { builtInTypes } from '../built-in/table/read-table.ts';
import { readTyped } from '../built-in/typed/read-typed.ts';
import { setDefaults } from '../built-in/defaults/set-defaults.ts';
import type { BuiltInKind } from '../built-in/table/built-in-kind.ts';
import type { GoType, OwnTypeName, StructType } from '../built-in/table/go-type.ts';
import { uninterpreted } from '#kube';

/** The apiVersion and kind that a document contains. An absent field is empty. */
interface StatedType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Result of reading a document: a value, or the error text of the server. */
type Reading<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: string };

/**
 * Returns the apiVersion and kind of a document. Source: k8s.io/apimachinery/pkg/runtime/serializer/json/meta.go
 * `Interpret`, schema/group_version.go `ParseGroupVersion` (1.37).
 */
function statedType(document: JsonValue): Reading<StatedType> {
  const stated = { apiVersion: '', kind: '' };
  if (!isJsonObject(document)) return { ok: true, value: stated };
  for (const field of ['kind', 'apiVersion'] as const) {
    const value = document[field] ?? null;
    if (value !== null && typeof value !== 'string') {
      const found = typeof value === 'boolean' ? 'bool' : Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : 'number';
      const error = `json: cannot unmarshal ${found} into Go struct field .${field} of type string`;
      return { ok: false, error: uninterpreted(error) };
    }
    stated[field] = value ?? '';
  }
  if (stated.apiVersion.split('/').length > 2) return { ok: false, error: `unexpected GroupVersion string: ${stated.apiVersion}` };
  return { ok: true, value: stated };
}

/**
 * Name of kube-apiserver's type registry (scheme) in error messages. Source: k8s.io/apimachinery/pkg/util/naming of k8s.io/kubernetes
 * pkg/api/legacyscheme (1.30 to 1.37).
 */
const SCHEME = '"pkg/api/legacyscheme/scheme.go:30"';

/**
 * Returns the built-in kind that a patched document has. The document is decoded as this kind. If the document omits apiVersion or kind,
 * the value comes from `was`, the kind before the patch. Source: k8s.io/apimachinery/pkg/runtime/serializer/json/json.go `Decode`,
 * `gvkWithDefaults` (1.37).
 */
function patchedKind({ apiVersion, kind }: StatedType, was: BuiltInKind, minor: Minor): Reading<BuiltInKind> {
  const stated = { apiVersion: apiVersion === '' || apiVersion === '/' ? was.apiVersion : apiVersion, kind: kind === '' ? was.kind : kind };
  const value = builtInKinds(minor).kind(stated.apiVersion, stated.kind);
  if (value !== undefined) return { ok: true, value };
  return { ok: false, error: `no kind "${stated.kind}" is registered for version "${stated.apiVersion}" in scheme ${SCHEME}` };
}

/**
 * Returns the error for a patch that changed the group or version of an object. Returns undefined if both are unchanged. Source:
 * runtime/scheme.go `convertToVersion` (1.37).
 */
function unsuitable({ group, version, kind, apiVersion }: BuiltInKind, was: BuiltInKind): string | undefined {
  if (apiVersion === was.apiVersion) return undefined;
  if (group === was.group) return `converting (${version}.${kind}) to (${was.version}.${kind}): unknown conversion`;
  return `*${version}.${kind} is not suitable for converting to "${was.apiVersion}" in scheme ${SCHEME}`;
}

const OBJECT: ValueSchema = { ...EMPTY_SCHEMA, type: 'object' };
const DATE_TIME: ValueSchema = { ...EMPTY_SCHEMA, type: 'string', format: 'date-time' };

/**
 * OpenAPI schemas of the Go types that have a custom JSON decoder. The schema of a quantity has no type, so type-checked expressions cannot
 * read quantities.
 */
const OWN: Readonly<Record<OwnTypeName, ValueSchema>> = {
  Quantity: EMPTY_SCHEMA,
  IntOrString: { ...EMPTY_SCHEMA, intOrString: true },
  Time: DATE_TIME,
  MicroTime: DATE_TIME,
  Duration: { ...EMPTY_SCHEMA, type: 'string' },
  RawExtension: OBJECT,
  FieldsV1: OBJECT,
};

/** Schemas of structs. Each is created only once. */
const structs = new WeakMap<StructType, ValueSchema>();

/**
 * Returns the schema that a server publishes for a built-in Go type. It contains only the keywords that determine the types of expressions.
 */
function builtInSchema(type: GoType): ValueSchema {
  switch (type.kind) {
    case 'bool':
      return { ...EMPTY_SCHEMA, type: 'boolean' };
    case 'int32':
    case 'int64':
    case 'uint8':
      return { ...EMPTY_SCHEMA, type: 'integer' };
    case 'string':
      return { ...EMPTY_SCHEMA, type: 'string' };
    case 'bytes':
      return { ...EMPTY_SCHEMA, type: 'string', format: 'byte' };
    case 'own':
      return OWN[type.name];
    case 'pointer':
      return builtInSchema(type.to);
    case 'list':
      return { ...EMPTY_SCHEMA, type: 'array', items: builtInSchema(type.of) };
    case 'map':
      return { ...OBJECT, additionalProperties: builtInSchema(type.of) };
    case 'struct':
      return structSchema(type);
  }
}

function structSchema(type: StructType): ValueSchema {
  const known = structs.get(type);
  if (known !== undefined) return known;
  // A recursive struct has no fields inside itself, because Kubernetes resolves references this way.
  structs.set(type, OBJECT);
  const schema = { ...OBJECT, properties: new Map(Array.from(type.fields, ([name, field]) => [name, builtInSchema(field.type)])) };
  structs.set(type, schema);
  return schema;
}

const STRING: ValueSchema = { ...EMPTY_SCHEMA, type: 'string' };

/**
 * Returns a definition's schema in its published form. The fields that every resource has are added to the schema itself if `isResource` is
 * true, and to embedded resources. Source: k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go `buildKubeNative`,
 * `addEmbeddedProperties` (1.37).
 *
 * @param metadata schema of the field `metadata`
 */
function publishedResource(schema: ValueSchema, metadata: ValueSchema, isResource = true): ValueSchema {
  const within = (part: ValueSchema): ValueSchema => publishedResource(part, metadata, part.embeddedResource);
  const properties = new Map(Array.from(schema.properties ?? [], ([name, property]) => [name, within(property)]));
  if (isResource) properties.set('apiVersion', STRING).set('kind', STRING).set('metadata', metadata);
  return {
    ...schema,
    properties: properties.size === 0 ? undefined : properties,
    items: schema.items && within(schema.items),
    additionalProperties: schema.additionalProperties && within(schema.additionalProperties),
  };
}

/**
 * Merge type of a kind (the rules for merging a patch into an object), or the reason why the kind has none. `unknown-group`: the server
 * publishes no schemas for the kind's group and version. `unknown-kind`: it publishes schemas for the group and version, but not for the
 * kind.
 */
export type MergeType = 'unknown-group' | 'unknown-kind' | AtomRef;

/**
 * Result of decoding an object. If decoding fails and `isFault` is true, the policy's failurePolicy decides whether the error refuses the
 * request. If `isFault` is false, the error always ends the request.
 */
export type DecodedObject =
  | { readonly ok: true; readonly object: JsonObject }
  | { readonly ok: false; readonly error: string; readonly isFault: boolean };

/** Pattern of kind names for which no schema is published. */
const UNPUBLISHED = /(?:Options|List)$/;

/**
 * Schemas and merge types (rules for merging patches into objects) of the kinds that a server serves. These kinds are built-in kinds and
 * kinds of CustomResourceDefinitions.
 */
export class ObjectSchemas {
  readonly #minor: Minor;
  readonly #definitions: readonly CompiledDefinition[];
  readonly #types = new Map<string, MergeType>();
  readonly #setsDefaults: boolean;

  /**
   * @param definitions CustomResourceDefinitions as stored; invalid definitions are skipped
   * @param setsDefaults true if mutated objects of built-in kinds receive the server's defaults, as in a write; these defaults are not part
   * of k8s.io/apiserver
   */
  constructor(minor: Minor, definitions: readonly JsonValue[], { setsDefaults = false }: { readonly setsDefaults?: boolean } = {}) {
    this.#minor = minor;
    this.#setsDefaults = setsDefaults;
    this.#definitions = definitions.flatMap((document) => {
      const compiled = compileStoredDefinition(document, { minor });
      return compiled.ok ? [compiled.definition] : [];
    });
  }

  /** Returns the merge type of a kind, and caches it. */
  mergeType(kind: GroupVersionKind): MergeType {
    const key = kindText(kind);
    const known = this.#types.get(key) ?? this.#findType(kind);
    this.#types.set(key, known);
    return known;
  }

  /** Returns the published schema of a kind, against which expressions are type-checked. Returns undefined if the kind is unknown. */
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

  /** Returns the built-in kind with this group, version and name. Returns undefined if there is no such kind. */
  builtIn(kind: GroupVersionKind): BuiltInKind | undefined {
    return builtInKinds(this.#minor).kind(apiVersionOf(kind), kind.kind);
  }

  /**
   * Decodes the result of a JSON patch strictly. A field that is missing in the Go type of the object's kind is an error.
   *
   * @param type built-in kind whose Go type stores the object; undefined if the object is not stored in a Go type
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

  /** Converts a merged object to the form in which its Go type stores it. Returns the object unchanged if `type` is undefined. */
  converted(object: JsonObject, type: BuiltInKind | undefined): FinishedObject {
    return type === undefined ? { ok: true, object } : fromUnstructured(object, type, this.#minor);
  }

  /**
   * Returns a mutated object with defaults. The defaults of a custom kind come from the schema of the version in the object's apiVersion.
   * The defaults of a built-in kind are set only if `setsDefaults` is true. Source: mutating/dispatcher.go `dispatchOne` (1.37).
   */
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

/**
 * Decodes an object of a custom kind, which must have a `kind`. Source: k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/helpers.go
 * `unstructuredJSONScheme.decode` (1.37).
 */
function decodedCustom(object: JsonValue): DecodedObject {
  if (isJsonObject(object) && typeof object['kind'] === 'string' && object['kind'] !== '') return { ok: true, object };
  return { ok: false, error: `Object 'Kind' is missing in '${writeJson(object)}'`, isFault: false };
}

function once(make: () => Atom): AtomRef {
  let atom: Atom | undefined;
  return () => (atom ??= make());
}
