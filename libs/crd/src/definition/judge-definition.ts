import type { EngineChoice } from '#cel';
import { newJsonObject } from '#go';
import type { DefinitionContext } from '../schema/decode-definition.ts';
import { RecentDefinitions } from '../schema/recent-definitions.ts';
import {
  badRequestStatus,
  checkPathSegmentName,
  checkPathSegmentPrefix,
  childPath,
  conflictStatus,
  defaultGates,
  invalidStatus,
  readObjectMeta,
  storageErrorStatus,
  validateObjectMeta,
  validateObjectMetaUpdate,
  ESTABLISHED,
  aggregateText,
  indexPath,
  invalid,
} from '#kube';
import { wordedDefinitionErrors } from '../wording/error-wording.ts';
import type { FirstDocument, JsonObject, JsonValue } from '#go';
import type { FeatureGates, FieldError, Minor, ObjectMeta, Server, Status } from '#kube';
import { definitionWarnings } from './admission/definition-warnings.ts';
import { hoist } from './admission/hoist.ts';
import { createOptions, updateOptions } from './admission/options.ts';
import type { AdmissionOptions } from './admission/options.ts';
import { prepareForCreate, prepareForUpdate, sameSpec, withoutDisabledFields } from './admission/prepare.ts';
import { readDefinition, readLeniently, readStored } from './admission/read-definition.ts';
import type { DefinitionBody } from './admission/read-definition.ts';
import type { KnownNodes } from './admission/rule-context.ts';
import { definitionCosts } from './admission/rule-costs.ts';
import { SchemaContexts } from './admission/schema-contexts.ts';
import { definitionMetaRules, validateDefinition, approvalCondition } from './admission/validate-definition.ts';
import type { Definition } from '../schema/definition.ts';
import { encodeDefinition } from '../schema/encode-definition.ts';
import type { DefinitionVerdict, FieldValidation, ObjectWrite, DefinitionCondition } from '../verdict.ts';
import { nameRefusal } from '../object/check-identity.ts';
import { dedupOwnerReferences, Warnings } from '../object/write/warnings.ts';
import {
  badRevisionStatus,
  claimsRevision,
  dropClusterFields,
  isOtherRevision,
  OPTIMISTIC_LOCK,
  otherUid,
  REVISION_ON_CREATE,
  storedRevision,
} from '../object/write/stored-object.ts';
import { hasInvalidCaBundle } from './admission/conversion-webhook.ts';
import { structuralOptions } from '../minors/validation-behaviour.ts';
import { toStructural } from '../structural/from-schema.ts';
import { validateStructural } from '../structural/validate-structural.ts';

/** Options for computing the verdict on a definition. */
export interface DefinitionOptions extends DefinitionContext {
  readonly minor: Minor;
  /** Feature gates of the server. If absent, the defaults of the Kubernetes minor version apply. */
  readonly gates?: FeatureGates | undefined;
  /** Treatment of unknown and duplicate fields. The default is `Warn`. */
  readonly fieldValidation?: FieldValidation;
  /** Media type of the body, if the body is bytes or text. */
  readonly contentType?: string;
  /** Result of reading the body as YAML. If it is undefined, the body is read. */
  readonly yaml?: FirstDocument | undefined;
  /** Engine that evaluates rules on defaults. Default: the interpreter. */
  readonly engine?: EngineChoice | undefined;
  /**
   * Treatment of uid and resourceVersion. With `takenOff`, they are removed if the server would reject the definition because of them. The
   * default is `asSent`.
   */
  readonly ownedFields?: ObjectWrite['ownedFields'];
  /** Cached results of verdicts on earlier states of the definition, for this Kubernetes minor version; undefined if there are none. */
  readonly known?: KnownNodes | undefined;
}

const GROUP_KIND = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' };
const RESOURCE = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };
const METADATA = childPath(undefined, 'metadata');

/**
 * Computes the verdict on a create or an update of a CustomResourceDefinition. Like the server, decodes, defaults, prepares and validates
 * the definition. Without `oldDocument`, the request is a create.
 *
 * @param document Request body: bytes, text, or parsed JSON.
 * @param oldDocument Stored definition. If it has no conditions, it is treated as established.
 */
export function judgeDefinition(document: DefinitionBody, oldDocument: JsonValue | undefined, given: DefinitionOptions): DefinitionVerdict {
  const options = { ...given, recent: given.recent ?? new RecentDefinitions() };
  const server: Server = { minor: options.minor, gates: options.gates ?? defaultGates(options.minor) };
  const warnings = new Warnings();
  const old = oldDocument === undefined ? undefined : readStored(oldDocument, options);
  const unreadable = oldDocument !== undefined && old === undefined;
  const reading = readDefinition(document, options);
  for (const text of reading.warnings) warnings.add(text, reading.changes?.get(text));
  const sent = reading.ok ? requestedDefinition(reading.definition, old, options) : undefined;
  const refusal = unreadable
    ? badRequestStatus('the stored definition is not readable')
    : !reading.ok
      ? reading.status
      : old && sent && targetRefusal(sent, old);
  if (refusal !== undefined || !reading.ok || sent === undefined) {
    return {
      ...refused(refusal as Status, reading.ok ? reading.definition : readLeniently(document, options), old, {
        ...server,
        known: options.known,
      }),
      ...warnings.result,
      ...(reading.changes && { changes: reading.changes }),
    };
  }
  const { engine, known } = options;
  return admit(sent, old, { ...server, engine, known, takenOff: sent !== reading.definition }, warnings);
}

/**
 * Returns a definition without uid and resourceVersion if `ownedFields` is `takenOff` and the server would reject the request because of
 * them. In all other cases, returns the definition unchanged.
 */
function requestedDefinition(requested: Definition, old: Definition | undefined, { ownedFields }: DefinitionOptions): Definition {
  if (ownedFields !== 'takenOff') return requested;
  const isInTheWay =
    old === undefined ? claimsRevision(requested.metadata['resourceVersion']) : targetRefusal(requested, old)?.code === 409;
  if (!isInTheWay) return requested;
  const { uid: _, resourceVersion: __, ...rest } = requested.metadata;
  return { ...requested, metadata: Object.assign(newJsonObject(), rest) };
}

/** Returns the verdict of a request that is rejected before validation. */
function refused(
  status: Status,
  definition: Definition | undefined,
  old: Definition | undefined,
  { known, ...server }: Server & Pick<AdmissionOptions, 'known'>,
): DefinitionVerdict {
  const verdict = { accepted: false, status, errors: [], warnings: [], stored: undefined, naming: undefined };
  if (definition === undefined) return { ...verdict, rules: [], schemaCost: new Map(), conditions: [] };
  const options = old === undefined ? createOptions(server) : updateOptions(server, definition, old);
  const contexts = new SchemaContexts({ ...options, known });
  return {
    ...verdict,
    ...definitionCosts(definition, contexts.ofVersions(definition)),
    conditions: definitionConditions(definition, server.minor),
  };
}

/**
 * Returns the Status that rejects an update whose name, uid or resourceVersion differs from the stored definition, or undefined if they
 * match.
 */
function targetRefusal(requested: Definition, old: Definition): Status | undefined {
  const name = String(old.metadata['name'] ?? '');
  const misnamed = nameRefusal(requested.metadata['name'], name);
  if (misnamed) return misnamed;
  const { uid } = requested.metadata;
  const stored = old.metadata['uid'];
  if (uid !== undefined && stored !== undefined && uid !== stored) {
    const key = `/${RESOURCE.group}/${RESOURCE.resource}/${name}`;
    return conflictStatus(RESOURCE, name, otherUid(key, String(uid), String(stored)));
  }
  const current = storedRevision(old.metadata['resourceVersion'], requested.metadata['resourceVersion']);
  const revision = requested.metadata['resourceVersion'] ?? current;
  if (typeof revision !== 'string' || !/^\d+$/.test(revision)) return badRevisionStatus(String(revision));
  return isOtherRevision(revision, current) ? conflictStatus(RESOURCE, name, OPTIMISTIC_LOCK) : undefined;
}

function admit(
  received: Definition,
  old: Definition | undefined,
  { engine, known, takenOff, ...server }: Server & Pick<AdmissionOptions, 'engine' | 'known'> & { readonly takenOff: boolean },
  warnings: Warnings,
): DefinitionVerdict {
  const sent = withoutDisabledFields(received, old, server.gates);
  // The generation grows if the specs differ as the client sent them, even if they differ only in fields that a disabled feature gate
  // drops.
  const grows = old !== undefined && !sameSpec(received, old);
  const definition = old === undefined ? prepareForCreate(sent) : prepareForUpdate(sent, old, grows);
  const duplicates = dedupOwnerReferences(definition.metadata);
  if (duplicates !== undefined) warnings.add(duplicates);
  const options: AdmissionOptions = { ...(old === undefined ? createOptions(server) : updateOptions(server, sent, old)), engine, known };
  const contexts = new SchemaContexts(options);
  const meta = readObjectMeta(definition.metadata);
  // Kubernetes also checks that the name fits into a URL. In an update, this check comes before the other checks. In a create, it comes
  // after them.
  const names = { checkName: checkPathSegmentName, checkPrefix: checkPathSegmentPrefix };
  const rules = { ...definitionMetaRules(definition, options), ...names, distinct: false };
  const hoisted = hoist(definition);
  const own = (): FieldError[] => validateDefinition(hoisted, old, options, contexts.of);
  let errors: FieldError[];
  if (old === undefined) {
    errors = own();
    if (errors.length === 0) errors = validateObjectMeta(meta, rules, METADATA);
  } else {
    const oldMeta: ObjectMeta = readObjectMeta(old.metadata);
    errors = [...validateObjectMeta(meta, rules, METADATA), ...validateObjectMetaUpdate(meta, oldMeta, rules, METADATA), ...own()];
  }
  const found = {
    ...definitionCosts(definition, contexts.ofVersions(definition)),
    conditions: definitionConditions(definition, server.minor),
    ...(takenOff && { takenOff }),
  };
  if (errors.length > 0) {
    const status = invalidStatus(GROUP_KIND, meta.name, wordedDefinitionErrors(errors, server.minor));
    return { accepted: false, status, errors, ...warnings.result, ...found, stored: undefined, naming: undefined };
  }
  for (const { text, changes } of definitionWarnings(hoisted, old, server.minor)) warnings.add(text, changes);
  if (old === undefined && claimsRevision(received.metadata['resourceVersion'])) {
    const status = storageErrorStatus(REVISION_ON_CREATE);
    return { accepted: false, status, errors, ...warnings.result, ...found, stored: undefined, naming: undefined };
  }
  const naming = { names: definition.spec.names, established: establishedCondition(definition) };
  return withStored({ accepted: true, status: undefined, errors, ...warnings.result, ...found, naming }, definition);
}

/**
 * Adds the stored form of the definition to a verdict. The form is created on first access, because few callers need it and it is as large
 * as the definition.
 */
function withStored(verdict: Omit<DefinitionVerdict, 'stored'>, definition: Definition): DefinitionVerdict {
  let stored: JsonObject | undefined;
  return {
    ...verdict,
    get stored() {
      return (stored ??= storedJson(definition));
    },
  };
}

/** Returns the stored form of a definition, without the fields that only a cluster can set. */
function storedJson(definition: Definition): JsonObject {
  const metadata = Object.assign(newJsonObject(), definition.metadata);
  dropClusterFields(metadata);
  return encodeDefinition({ ...definition, metadata });
}

/**
 * Returns the condition `Established` that a definition has after all controllers have processed it, provided that its names are accepted.
 * Source: apiextensions-apiserver pkg/controller/establish/establishing_controller.go (1.37).
 */
function establishedCondition(definition: Definition): DefinitionCondition {
  return hasInvalidCaBundle(definition)
    ? { type: 'Established', status: 'False', reason: 'InvalidCABundle', message: 'The conversion webhook CABundle is invalid' }
    : { ...ESTABLISHED };
}

/**
 * Returns the condition that reports non-structural schemas, or undefined if all schemas are structural. Source:
 * pkg/controller/nonstructuralschema (1.37).
 */
function nonStructuralCondition(definition: Definition, minor: Minor): DefinitionCondition | undefined {
  const type = 'NonStructuralSchema';
  const errors: FieldError[] = [];
  const spec = childPath(undefined, 'spec');
  if (definition.spec.preserveUnknownFields) errors.push(invalid(childPath(spec, 'preserveUnknownFields'), true, 'must be false'));
  for (const [i, version] of definition.spec.versions.entries()) {
    if (version.schema === undefined) continue;
    const converted = toStructural(version.schema);
    if (!converted.ok) {
      const message = `failed to check validation schema for version ${version.name}: ${converted.error}`;
      return { type, status: 'Unknown', reason: 'StructuralError', message };
    }
    const at = childPath(indexPath(childPath(spec, 'versions'), i), 'schema', 'openAPIV3Schema');
    errors.push(...validateStructural(at, converted.structural, structuralOptions(minor)));
  }
  const message = aggregateText(errors);
  return message === undefined ? undefined : { type, status: 'True', reason: 'Violations', message };
}

/** Returns the conditions that depend only on the definition itself: the conditions about non-structural schemas and about API approval. */
export function definitionConditions(definition: Definition, minor: Minor): DefinitionCondition[] {
  return [nonStructuralCondition(definition, minor), approvalCondition(definition)].filter((condition) => condition !== undefined);
}
