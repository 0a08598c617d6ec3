import {
  fieldErrorText,
  forbidden,
  goBadValue,
  invalid,
  notSupported,
  reportedBecauseOf,
  required,
  structValue,
  tooLong,
  wordedBecauseOf,
} from '../field-error.ts';
import type { BadValueBox, FieldError } from '../field-error.ts';
import { childPath, indexPath } from '../field-path.ts';
import type { FieldPath } from '../field-path.ts';
import { goQuote, isPrintable, compareBytes, newJsonObject, utf8Length } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { KUBE_CHANGES } from '../minors.ts';
import { checkDns1123Label, checkLabelValue, checkQualifiedName, dependsOnWording, maskTrailingDash } from '../names.ts';
import type { NameCheck } from '../names.ts';
import { enforceDeclaredRules } from './declared-errors.ts';
import { OPERATIONS } from './object-meta.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object-meta.ts';
import { LATEST_WORDING } from './wording.ts';
import type { MetaWording } from './wording.ts';

/** Maximum size of the keys and values of all annotations together, in bytes. */
const ANNOTATIONS_LIMIT = 256 * 1024;
const MANAGER_LENGTH = 128;
const SUBRESOURCE_LENGTH = 256;
const ORPHAN_DEPENDENTS = 'orphan';
const DELETE_DEPENDENTS = 'foregroundDeletion';

/** Options that adapt the validation of metadata to a kind and to a Kubernetes minor version. */
export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly checkName: NameCheck;
  /** Check of `generateName`. Default: `checkName`, applied to the prefix after a trailing dash is replaced ({@link maskTrailingDash}). */
  readonly checkPrefix?: NameCheck;
  /** Wording of error texts. Default: the wording of the newest Kubernetes minor version. */
  readonly wording?: MetaWording;
  /**
   * True if the declarative rules for metadata apply too: equal errors are reported only once, and the rules may be enforced. By default,
   * duplicates are reported.
   */
  readonly distinct?: boolean;
}

function reported(errors: FieldError[], rules: ObjectMetaRules): FieldError[] {
  return rules.distinct === true && errors.length > 1
    ? [...new Map(errors.map((error) => [fieldErrorText(error), error])).values()]
    : errors;
}

/**
 * Returns the errors in the metadata of a new object, in the order in which the API server reports them. Label and annotation keys are
 * sorted by their bytes, because their order in the API server is random. Source: k8s.io/apimachinery/pkg/api/validation/objectmeta.go
 * `ValidateObjectMetaAccessor` (1.37).
 */
export function validateObjectMeta(meta: ObjectMeta, rules: ObjectMetaRules, path: FieldPath | undefined): FieldError[] {
  const errors: FieldError[] = [];
  if (meta.generateName !== '') {
    const checkPrefix = rules.checkPrefix ?? ((prefix: string) => rules.checkName(maskTrailingDash(prefix)));
    for (const text of checkPrefix(meta.generateName)) {
      errors.push(invalid(childPath(path, 'generateName'), meta.generateName, text));
    }
  }
  if (meta.name === '') errors.push(required(childPath(path, 'name'), 'name or generateName is required'));
  else for (const text of rules.checkName(meta.name)) errors.push(invalid(childPath(path, 'name'), meta.name, text));
  if (rules.namespaced) {
    if (meta.namespace === '') errors.push(required(childPath(path, 'namespace'), ''));
    else for (const text of checkDns1123Label(meta.namespace)) errors.push(invalid(childPath(path, 'namespace'), meta.namespace, text));
  } else if (meta.namespace !== '') {
    errors.push(forbidden(childPath(path, 'namespace'), 'not allowed on this type'));
  }
  validateGeneration(meta, path, errors);
  const wording = rules.wording ?? LATEST_WORDING;
  validateLabels(meta.labels, childPath(path, 'labels'), errors, wording);
  validateAnnotations(meta.annotations, childPath(path, 'annotations'), errors, wording);
  validateOwnerReferences(meta.ownerReferences, childPath(path, 'ownerReferences'), errors, wording);
  validateFinalizers(meta.finalizers, childPath(path, 'finalizers'), errors, wording);
  validateManagedFields(meta.managedFields, childPath(path, 'managedFields'), errors, wording);
  const found = reported(errors, rules);
  return rules.distinct === true && wording.enforcesRules ? enforceDeclaredRules(found, meta, undefined, path) : found;
}

/** Returns the errors in the metadata of an updated object. Source: `ValidateObjectMetaAccessorUpdate` (1.37). */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  rules: ObjectMetaRules,
  path: FieldPath | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    const extra = [...new Set(meta.finalizers)].filter((name) => !old.finalizers.includes(name)).sort(compareBytes);
    if (extra.length > 0) {
      const found = `[]string{${extra.map(goQuote).join(', ')}}`;
      errors.push(
        forbidden(
          childPath(path, 'finalizers'),
          `no new finalizers can be added if the object is being deleted, found new finalizers ${found}`,
        ),
      );
    }
  }
  if (meta.resourceVersion === '') errors.push(invalid(childPath(path, 'resourceVersion'), '', 'must be specified for an update'));
  const wording = rules.wording ?? LATEST_WORDING;
  if (wording.checksGenerationOnUpdate) {
    const found: FieldError[] = [];
    validateGeneration(meta, path, found);
    errors.push(...found.map((error) => reportedBecauseOf(error, KUBE_CHANGES.metadataIsDeclarative)));
  }
  validateGenerationChange(meta, old, path, errors, wording);
  const immutable = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;
  for (const field of immutable) {
    if (meta[field] === old[field]) continue;
    const shown = meta[field] ?? null;
    const isTime = wording.goSyntax && field.endsWith('Timestamp') && typeof shown === 'string';
    errors.push(invalid(childPath(path, field), isTime ? inGo(shown, goTimeText(shown)) : shown, 'field is immutable'));
  }
  validateLabels(meta.labels, childPath(path, 'labels'), errors, wording);
  validateAnnotations(meta.annotations, childPath(path, 'annotations'), errors, wording);
  validateOwnerReferences(meta.ownerReferences, childPath(path, 'ownerReferences'), errors, wording);
  validateManagedFields(meta.managedFields, childPath(path, 'managedFields'), errors, wording);
  const found = reported(errors, rules);
  return rules.distinct === true && wording.enforcesRules ? enforceDeclaredRules(found, meta, old, path) : found;
}

/** Returns the form in which Go prints a UTC time without fractions of a second: `2024-01-01 00:00:00 +0000 UTC`. */
function goTimeText(time: string): string {
  return time.replace('T', ' ').replace('Z', ' +0000 UTC');
}

function validateGeneration(meta: ObjectMeta, path: FieldPath | undefined, errors: FieldError[]): void {
  if (meta.generation < 0) errors.push(invalid(childPath(path, 'generation'), meta.generation, 'must be greater than or equal to 0'));
}

/** Validates the change of the generation in an update. Source: objectmeta.go `ValidateObjectMetaAccessorUpdate` (1.38). */
function validateGenerationChange(
  meta: ObjectMeta,
  old: ObjectMeta,
  path: FieldPath | undefined,
  errors: FieldError[],
  wording: MetaWording,
): void {
  const isCleared = wording.generationIsKept && meta.generation === 0 && old.generation !== 0;
  if (!isCleared && meta.generation >= old.generation) return;
  const text = isCleared ? 'field cannot be cleared once set' : 'must not be decremented';
  const error = invalid(childPath(path, 'generation'), meta.generation, text);
  const { generationIsKept } = KUBE_CHANGES;
  if (meta.generation !== 0 || old.generation === 0) errors.push(error);
  else errors.push(old.generation > 0 ? wordedBecauseOf(error, generationIsKept) : reportedBecauseOf(error, generationIsKept));
}

/** Validates the keys and values of labels. */
function validateLabels(
  labels: ReadonlyMap<string, string>,
  path: FieldPath,
  errors: FieldError[],
  wording: MetaWording = LATEST_WORDING,
): void {
  for (const [key, value] of labels) {
    errors.push(...labelErrors(key, checkQualifiedName(key, wording), path, wording));
    errors.push(...labelErrors(value, checkLabelValue(value, wording), path, wording));
  }
}

/** Returns an error for each problem of a label key or label value. */
function labelErrors(value: string, problems: readonly string[], path: FieldPath, wording: MetaWording): FieldError[] {
  return problems.map((text) => {
    const error = invalid(path, value, text);
    return dependsOnWording(text, wording) ? wordedBecauseOf(error, KUBE_CHANGES.labelsAreContent) : error;
  });
}

/** Validates the keys of annotations, and the size of all annotations together. */
export function validateAnnotations(
  annotations: ReadonlyMap<string, string>,
  path: FieldPath,
  errors: FieldError[],
  wording: MetaWording = LATEST_WORDING,
): void {
  let size = 0;
  for (const [key, value] of annotations) {
    errors.push(...labelErrors(key, checkQualifiedName(key.toLowerCase(), wording), path, wording));
    size += utf8Length(key) + utf8Length(value);
  }
  if (size > ANNOTATIONS_LIMIT) errors.push(tooLong(path, ANNOTATIONS_LIMIT, wording.tooLong));
}

/** Returns an owner reference as the JSON that Go's encoding/json writes for the struct. */
function ownerReferenceJson(reference: OwnerReference): JsonObject {
  const json = newJsonObject();
  json['apiVersion'] = reference.apiVersion;
  json['kind'] = reference.kind;
  json['name'] = reference.name;
  json['uid'] = reference.uid;
  if (reference.controller !== undefined) json['controller'] = reference.controller;
  if (reference.blockOwnerDeletion !== undefined) json['blockOwnerDeletion'] = reference.blockOwnerDeletion;
  return json;
}

/**
 * Returns an owner reference as Go's `%#v` prints it. Pointer addresses differ from run to run, so they are all printed as one fixed
 * address.
 */
function ownerReferenceGo(reference: OwnerReference): string {
  const pointer = (value: boolean | undefined): string => `(*bool)(${value === undefined ? 'nil' : '0xc000000000'})`;
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
  const texts = `APIVersion:${goQuote(apiVersion)}, Kind:${goQuote(kind)}, Name:${goQuote(name)}, UID:${goQuote(uid)}`;
  return `v1.OwnerReference{${texts}, Controller:${pointer(controller)}, BlockOwnerDeletion:${pointer(blockOwnerDeletion)}}`;
}

/** Wraps a value that errors print in the syntax of Go in Kubernetes versions before the entry `valuesAreJson`. */
const inGo = (value: JsonValue, text: string): BadValueBox => goBadValue(value, text, KUBE_CHANGES.valuesAreJson);

const goList = (type: string, items: readonly string[]): string => `[]${type}{${items.join(', ')}}`;

/** Splits an apiVersion into group and version. Returns undefined if the apiVersion has more than one slash. */
function parseGroupVersion(text: string): { group: string; version: string } | undefined {
  if (text === '' || text === '/') return { group: '', version: '' };
  const parts = text.split('/');
  if (parts.length > 2) return undefined;
  return parts.length === 1 ? { group: '', version: text } : { group: parts[0] as string, version: parts[1] as string };
}

/** Validates one owner reference. */
function validateOwnerReference(reference: OwnerReference, at: FieldPath, wording: MetaWording, errors: FieldError[]): void {
  const indexed = wording.ownerReferences === 'indexed';
  const version = parseGroupVersion(reference.apiVersion);
  const place = childPath(at, 'apiVersion');
  if (reference.apiVersion === '' && indexed) errors.push(required(place, 'must not be empty'));
  else if (version === undefined || version.version === '') {
    errors.push(invalid(place, reference.apiVersion, indexed ? 'must be <group>/<version> or <version>' : 'version must not be empty'));
  }
  for (const field of ['kind', 'name', 'uid'] as const) {
    if (reference[field] !== '') continue;
    const detail = wording.emptyOwnerField(field);
    errors.push(indexed ? required(childPath(at, field), detail) : invalid(childPath(at, field), '', detail));
  }
  if (version?.group === '' && version.version === 'v1' && reference.kind === 'Event') {
    errors.push(
      invalid(
        at,
        wording.goSyntax ? inGo(ownerReferenceJson(reference), ownerReferenceGo(reference)) : structValue(ownerReferenceJson(reference)),
        '/v1, Kind=Event is disallowed from being an owner',
      ),
    );
  }
}

/** Validates each owner reference, and checks that at most one of them is the controller. */
export function validateOwnerReferences(
  references: readonly OwnerReference[],
  path: FieldPath,
  errors: FieldError[],
  wording: MetaWording = LATEST_WORDING,
): void {
  let controller = '';
  references.forEach((reference, index) => {
    const found: FieldError[] = [];
    validateOwnerReference(reference, wording.ownerReferences === 'indexed' ? indexPath(path, index) : path, wording, found);
    errors.push(...found.map((error) => wordedBecauseOf(error, KUBE_CHANGES.ownersAreIndexed)));
    if (reference.controller !== true) return;
    const name = `${reference.kind}/${reference.name}`;
    if (controller !== '') {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      const shown = wording.goSyntax
        ? inGo(references.map(ownerReferenceJson), goList('v1.OwnerReference', references.map(ownerReferenceGo)))
        : structValue(references.map(ownerReferenceJson));
      errors.push(invalid(path, shown, detail));
    } else {
      controller = name;
    }
  });
}

/** Validates the names of finalizers, and checks that the two garbage-collection finalizers are not both present. */
export function validateFinalizers(
  finalizers: readonly string[],
  path: FieldPath,
  errors: FieldError[],
  wording: MetaWording = LATEST_WORDING,
): void {
  for (const name of finalizers) errors.push(...labelErrors(name, checkQualifiedName(name, wording), path, wording));
  if (finalizers.includes(ORPHAN_DEPENDENTS) && finalizers.includes(DELETE_DEPENDENTS)) {
    const shown = wording.goSyntax ? inGo([...finalizers], goList('string', finalizers.map(goQuote))) : [...finalizers];
    errors.push(invalid(path, shown, `finalizer ${ORPHAN_DEPENDENTS} and ${DELETE_DEPENDENTS} cannot be both set`));
  }
}

function validateOperation(operation: string, path: FieldPath, errors: FieldError[], wording: MetaWording): void {
  if (OPERATIONS.includes(operation)) return;
  let error = notSupported(path, operation, OPERATIONS);
  if (wording.managedOperations === 'flat') error = invalid(path, operation, 'must be `Apply` or `Update`');
  else if (operation === '') error = required(path, 'must not be empty');
  errors.push(wordedBecauseOf(error, KUBE_CHANGES.metadataIsDeclarative));
}

/** Validates the name of a field manager. Source: pkg/apis/meta/v1/validation/validation.go `ValidateFieldManager` (1.37). */
function validateManager(manager: string, path: FieldPath, errors: FieldError[], wording: MetaWording): void {
  if (utf8Length(manager) > MANAGER_LENGTH) errors.push(tooLong(path, MANAGER_LENGTH, wording.tooLong));
  let position = 0;
  for (const rune of manager) {
    if (!isPrintable(rune)) {
      const code = rune.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalid(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += utf8Length(rune);
  }
}

function validateManagedFields(entries: readonly ManagedFieldsEntry[], path: FieldPath, errors: FieldError[], wording: MetaWording): void {
  entries.forEach((entry, index) => {
    const at = indexPath(path, index);
    validateOperation(entry.operation, childPath(at, 'operation'), errors, wording);
    if (entry.fieldsType !== '' && entry.fieldsType !== 'FieldsV1') {
      errors.push(invalid(childPath(at, 'fieldsType'), entry.fieldsType, 'must be `FieldsV1`'));
    }
    validateManager(entry.manager, childPath(at, 'manager'), errors, wording);
    if (utf8Length(entry.subresource) > SUBRESOURCE_LENGTH)
      errors.push(tooLong(childPath(at, 'subresource'), SUBRESOURCE_LENGTH, wording.tooLong));
  });
}
