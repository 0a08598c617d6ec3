import {
  badRequestStatus,
  checkDns1123Subdomain,
  checkPathSegmentName,
  checkPathSegmentPrefix,
  childPath,
  conflictStatus,
  indexPath,
  invalid,
  invalidStatus,
  isJsonObject,
  metaWording,
  minorNumber,
  readJson,
  readObjectMeta,
  readYaml,
  validateObjectMeta,
  validateObjectMetaUpdate,
  writeJson,
} from '#kube';
import type { FieldError, FieldPath, JsonObject, JsonValue, Minor, ObjectMeta, ObjectMetaRules, Status } from '#kube';
import { validateApproval } from './admission/api-approval.ts';
import { definitionConditions } from './admission/conditions.ts';
import { definitionWarnings } from './admission/definition-warnings.ts';
import { hoist } from './admission/hoist.ts';
import { createOptions, updateOptions } from './admission/options.ts';
import type { AdmissionOptions } from './admission/options.ts';
import { definitionCosts } from './admission/rule-costs.ts';
import { RuleContext } from './admission/rule-context.ts';
import { validateNames } from './admission/validate-names.ts';
import { validateSpec } from './admission/validate-spec.ts';
import { decodeDefinition } from './schema/decode-definition.ts';
import type { Definition } from './schema/definition.ts';
import { encodeDefinition } from './schema/encode-definition.ts';
import type { SchemaProps } from './schema/schema-props.ts';
import { storedNumbers } from './schema/stored-numbers.ts';
import type { DefinitionVerdict, FieldValidation } from './verdict.ts';
import { dedupOwnerReferences } from './write/dedup-owners.ts';
import { decodeBody, strictWarnings } from './write/decode-body.ts';
import { Warnings } from './write/warnings.ts';

/** How a definition is judged. */
export interface DefinitionOptions {
  readonly minor: Minor;
  /** Default: `Warn`. */
  readonly fieldValidation?: FieldValidation;
  /** Media type of a raw body. */
  readonly contentType?: string;
}

const API_VERSION = 'apiextensions.k8s.io/v1';
const KIND = 'CustomResourceDefinition';
const GROUP_KIND = { group: 'apiextensions.k8s.io', kind: KIND };
const RESOURCE = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };
/** The resourceVersion that stored definitions have. */
const STORED_REVISION = '1000';
const OPTIMISTIC_LOCK = 'the object has been modified; please apply your changes to the latest version and try again';
const METADATA = childPath(undefined, 'metadata');

/** Unwinds a write that is answered before validation; caught in `judgeDefinition`. */
class Answered extends Error {
  readonly status: Status;
  constructor(status: Status) {
    super(status.message);
    this.status = status;
  }
}

/**
 * Judges a create (no old document) or update of a CustomResourceDefinition: decoded, defaulted, prepared and validated as the server does.
 *
 * @param document the request body: bytes, text, or JSON read before
 * @param oldDocument the definition as stored; without conditions it counts as established
 */
export function judgeDefinition(
  document: Uint8Array | string | JsonObject,
  oldDocument: JsonValue | undefined,
  options: DefinitionOptions,
): DefinitionVerdict {
  const warnings = new Warnings();
  const old = oldDocument === undefined ? undefined : readStored(oldDocument);
  try {
    const definition = readDefinition(document, options, warnings);
    return new Admission(definition, old, options.minor).verdict(warnings);
  } catch (error) {
    if (!(error instanceof Answered)) throw error;
    const read = readLeniently(document);
    const found = read === undefined ? EMPTY_FINDINGS : findingsOf(read, old, options.minor);
    return { accepted: false, status: error.status, errors: [], warnings: warnings.texts, ...found, stored: undefined };
  }
}

/** A definition whose request is refused all the same; its costs and conditions can still be told. */
function readLeniently(document: Uint8Array | string | JsonObject): Definition | undefined {
  let value: JsonValue = null;
  if (isJsonObject(document as JsonValue)) value = document as JsonObject;
  else {
    const json = readJson(document as string);
    const reading = json.ok ? json : readYaml(document as string);
    if (reading.ok) value = reading.value;
  }
  if (!isJsonObject(value) || (value['apiVersion'] ?? API_VERSION) !== API_VERSION || (value['kind'] ?? KIND) !== KIND) return undefined;
  const reading = decodeDefinition(value);
  return reading.ok ? reading.definition : undefined;
}

const EMPTY_FINDINGS = { rules: [], schemaCost: new Map<string, bigint>(), conditions: [] };

function findingsOf(definition: Definition, old: Definition | undefined, minor: Minor): Pick<DefinitionVerdict, 'rules' | 'schemaCost' | 'conditions'> {
  const contexts = new SchemaContexts(old === undefined ? createOptions(minor) : updateOptions(minor, definition, old));
  return { ...definitionCosts(definition, contexts.ofVersions(definition)), conditions: definitionConditions(definition) };
}

function readDefinition(document: Uint8Array | string | JsonObject, options: DefinitionOptions, warnings: Warnings): Definition {
  const raw = typeof document === 'string' || document instanceof Uint8Array;
  const body = raw ? decodeBody(document, options.contentType, { kind: KIND }, false) : ({ ok: true, object: document, strictErrors: [] } as const);
  if (!body.ok) throw new Answered(body.status);
  const { object } = body;
  const kind = object['kind'] ?? KIND;
  const apiVersion = object['apiVersion'] ?? API_VERSION;
  if (kind !== KIND || apiVersion !== API_VERSION) {
    const shown = `${writeJson(apiVersion)}, Kind=${writeJson(kind)}`;
    throw new Answered(badRequestStatus(`the object provided is unrecognized (must be of type ${KIND}): no kind registered for ${shown}`));
  }
  const reading = decodeDefinition(object);
  const handle = (why: string): Answered => new Answered(badRequestStatus(`${KIND} in version "v1" cannot be handled as a ${KIND}: ${why}`));
  if (!reading.ok) throw handle(reading.error);
  const strict = [...body.strictErrors, ...reading.unknownFields.map((field) => `unknown field "${field}"`)];
  const mode = options.fieldValidation ?? 'Warn';
  if (mode === 'Strict' && strict.length > 0) throw handle(`strict decoding error: ${strict.join(', ')}`);
  if (mode !== 'Ignore') for (const text of strictWarnings(strict)) warnings.add(text);
  return reading.definition;
}

/** A stored definition; one without conditions is taken as established, with its names accepted. */
function readStored(document: JsonValue): Definition {
  const reading = decodeDefinition(storedNumbers(document));
  if (!reading.ok) throw new Answered(badRequestStatus(`the stored definition is not readable: ${reading.error}`));
  const { definition } = reading;
  const { spec, status } = definition;
  const metadata = Object.assign(Object.create(Object.getPrototypeOf(definition.metadata) as object) as JsonObject, definition.metadata);
  metadata['generation'] = 1;
  if (status.conditions.length > 0) return { ...definition, metadata };
  const condition = (type: string, reason: string, message: string) => {
    const json = { type, status: 'True', lastTransitionTime: '1970-01-01T00:00:00Z', reason, message } as unknown as JsonObject;
    return { type, status: 'True', json };
  };
  const conditions = [
    condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
    condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
  ];
  const storedVersions = storedVersionsOf(document) ?? storageVersions(definition);
  return { ...definition, metadata, status: { conditions, acceptedNames: spec.names, storedVersions, observedGeneration: undefined } };
}

function storedVersionsOf(document: JsonValue): string[] | undefined {
  const status = isJsonObject(document) ? document['status'] : undefined;
  const stored = isJsonObject(status) ? status['storedVersions'] : undefined;
  return Array.isArray(stored) && stored.length > 0 ? stored.map(String) : undefined;
}

function storageVersions(definition: Definition): string[] {
  const storage = definition.spec.versions.find((version) => version.storage);
  return storage === undefined ? [] : [storage.name];
}

/** Rule contexts, one per schema, so that rules are compiled once for errors and costs. */
class SchemaContexts {
  private readonly options: AdmissionOptions;
  private readonly roots = new Map<SchemaProps, RuleContext>();

  constructor(options: AdmissionOptions) {
    this.options = options;
  }

  readonly of = (schema: SchemaProps): RuleContext => {
    const known = this.roots.get(schema);
    if (known !== undefined) return known;
    const made = RuleContext.root(schema, this.options.environments);
    this.roots.set(schema, made);
    return made;
  };

  ofVersions(definition: Definition): Map<string, RuleContext> {
    const contexts = new Map<string, RuleContext>();
    for (const { name, schema } of definition.spec.versions) {
      if (schema !== undefined && !contexts.has(name)) contexts.set(name, this.of(schema));
    }
    return contexts;
  }
}

/** One definition on its way through preparation and validation. */
class Admission {
  private readonly definition: Definition;
  private readonly old: Definition | undefined;
  private readonly minor: Minor;
  private readonly options: AdmissionOptions;
  private readonly contexts: SchemaContexts;

  constructor(sent: Definition, old: Definition | undefined, minor: Minor) {
    this.minor = minor;
    this.old = old;
    this.definition = old === undefined ? prepareForCreate(sent) : prepareForUpdate(sent, old);
    this.options = old === undefined ? createOptions(minor) : updateOptions(minor, sent, old);
    this.contexts = new SchemaContexts(this.options);
  }

  verdict(warnings: Warnings): DefinitionVerdict {
    const { definition, old } = this;
    const duplicates = dedupOwnerReferences(definition.metadata);
    if (duplicates !== undefined) warnings.add(duplicates);
    const meta = readObjectMeta(definition.metadata);
    const errors = old === undefined ? this.validateCreate(meta) : this.validateUpdate(meta, old);
    const costs = definitionCosts(definition, this.contexts.ofVersions(definition));
    const conditions = definitionConditions(definition);
    if (errors.length > 0) {
      const status = invalidStatus(GROUP_KIND, meta.name, errors);
      return { accepted: false, status, errors, warnings: warnings.texts, ...costs, conditions, stored: undefined };
    }
    for (const text of definitionWarnings(definition, old, this.minor)) warnings.add(text);
    return { accepted: true, status: undefined, errors, warnings: warnings.texts, ...costs, conditions, stored: this.stored() };
  }

  private stored(): JsonValue {
    const metadata = { ...this.definition.metadata };
    for (const field of ['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'selfLink']) delete metadata[field];
    return encodeDefinition({ ...this.definition, metadata });
  }

  private nameRules(): ObjectMetaRules {
    const { names, group } = this.definition.spec;
    const wanted = `${names.plural}.${group}`;
    const checkName = (name: string): string[] => {
      const texts = checkDns1123Subdomain(name);
      return name === wanted ? texts : [...texts, 'must be spec.names.plural+"."+spec.group'];
    };
    return { namespaced: false, checkName, wording: metaWording(minorNumber(this.minor)) };
  }

  private genericRules(): ObjectMetaRules {
    return { ...this.nameRules(), checkName: checkPathSegmentName, checkPrefix: checkPathSegmentPrefix };
  }

  private validateCreate(meta: ObjectMeta): FieldError[] {
    const errors = [...validateObjectMeta(meta, this.nameRules(), METADATA), ...this.validateRest(undefined)];
    return errors.length > 0 ? errors : validateObjectMeta(meta, this.genericRules(), METADATA);
  }

  private validateUpdate(meta: ObjectMeta, old: Definition): FieldError[] {
    const oldMeta = readObjectMeta({ ...old.metadata, resourceVersion: STORED_REVISION });
    const rules = this.genericRules();
    return [
      ...validateObjectMeta(meta, rules, METADATA),
      ...validateObjectMetaUpdate(meta, oldMeta, rules, METADATA),
      ...validateObjectMetaUpdate(meta, oldMeta, rules, METADATA),
      ...this.validateRest(old),
    ];
  }

  private validateRest(old: Definition | undefined): FieldError[] {
    const { definition, options } = this;
    const errors = validateSpec(hoist(definition), options, this.contexts.of);
    if (old !== undefined) errors.push(...immutableFields(definition, old, options));
    const status = childPath(undefined, 'status');
    errors.push(...validateNames(definition.status.acceptedNames, childPath(status, 'acceptedNames')));
    errors.push(...validateStoredVersions(definition, childPath(status, 'storedVersions')));
    errors.push(...validateApproval(definition, old));
    if (definition.spec.preserveUnknownFields && old?.spec.preserveUnknownFields !== true) {
      const detail = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
      errors.push(invalid(childPath(undefined, 'spec', 'preserveUnknownFields'), true, detail));
    }
    return errors;
  }
}

function immutableFields(definition: Definition, old: Definition, options: AdmissionOptions): FieldError[] {
  const errors: FieldError[] = [];
  const spec = childPath(undefined, 'spec');
  const compare = (now: string, before: string, ...names: string[]): void => {
    if (now !== before) errors.push(invalid(childPath(spec, ...names), now, 'field is immutable'));
  };
  if (options.requireImmutableNames) {
    compare(definition.spec.scope, old.spec.scope, 'scope');
    compare(definition.spec.names.kind, old.spec.names.kind, 'names', 'kind');
  }
  compare(definition.spec.group, old.spec.group, 'group');
  compare(definition.spec.names.plural, old.spec.names.plural, 'names', 'plural');
  return errors;
}

/** Source: validation.go `ValidateCustomResourceDefinitionStoredVersions` (1.37). */
export function validateStoredVersions({ spec, status }: Pick<Definition, 'spec' | 'status'>, path: FieldPath): FieldError[] {
  const { storedVersions } = status;
  if (storedVersions.length === 0) return [invalid(path, null, 'must have at least one stored version')];
  const errors: FieldError[] = [];
  for (const version of spec.versions) {
    if (version.storage && !storedVersions.includes(version.name)) {
      errors.push(invalid(path, [...storedVersions], `must have the storage version ${version.name}`));
    }
  }
  for (const name of new Set(storedVersions)) {
    if (spec.versions.some((version) => version.name === name)) continue;
    const detail =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ` +
      `ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(indexPath(path, storedVersions.lastIndexOf(name)), name, detail));
  }
  return errors;
}

const NO_NAMES = { plural: '', singular: '', shortNames: [], kind: '', listKind: '', categories: [] };

function cleanMetadata(definition: Definition): JsonObject {
  const metadata = Object.assign(Object.create(Object.getPrototypeOf(definition.metadata) as object) as JsonObject, definition.metadata);
  for (const field of ['managedFields', 'selfLink', 'namespace']) delete metadata[field];
  return metadata;
}

/** Source: pkg/registry/customresourcedefinition/strategy.go `PrepareForCreate` (1.37). */
function prepareForCreate(sent: Definition): Definition {
  const metadata = cleanMetadata(sent);
  for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'resourceVersion']) delete metadata[field];
  const generateName = metadata['generateName'];
  if (metadata['name'] === undefined && typeof generateName === 'string') metadata['name'] = `${generateName.slice(0, 58)}xxxxx`;
  metadata['generation'] = 1;
  const status = { conditions: [], acceptedNames: NO_NAMES, storedVersions: storageVersions(sent), observedGeneration: undefined };
  return { ...sent, metadata, status };
}

/** Source: the same file, `PrepareForUpdate`. */
function prepareForUpdate(sent: Definition, old: Definition): Definition {
  const metadata = cleanMetadata(sent);
  const name = String(old.metadata['name'] ?? '');
  if (metadata['name'] !== name) {
    throw new Answered(badRequestStatus(`the name of the object (${String(metadata['name'] ?? '')}) does not match the name on the URL (${name})`));
  }
  const revision = metadata['resourceVersion'] ?? STORED_REVISION;
  if (revision !== STORED_REVISION && revision !== '0') throw new Answered(conflictStatus(RESOURCE, name, OPTIMISTIC_LOCK));
  metadata['resourceVersion'] = STORED_REVISION;
  for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds']) {
    const before = old.metadata[field];
    if (before !== undefined) metadata[field] = before;
    else if (field === 'uid' || field === 'creationTimestamp') delete metadata[field];
  }
  const specJson = (definition: Definition): string => writeJson(encodeDefinition(definition)['spec'] as JsonValue);
  const generation = Number(old.metadata['generation'] ?? 0);
  metadata['generation'] = specJson(sent) === specJson(old) ? generation : generation + 1;
  const added = storageVersions(sent).filter((version) => !old.status.storedVersions.includes(version));
  return { ...sent, metadata, status: { ...old.status, storedVersions: [...old.status.storedVersions, ...added] } };
}

