import { Cancelled, isJsonObject, readJson, newJsonObject, readYaml, writeJson } from '#go';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import { tryFastAccept, validateExactly, validateObject } from '#crd';
import type { CompiledDefinition, ObjectVerdict } from '#crd';
import { builtInKind, isDefinitionKind, judgeBuiltInWrite, judgeDefinitionWrite, withBuiltInDefaults } from '#policy';
import { leadingType, scanMembers, serverOf, checkRequestSettings } from '#documents';
import type { AdmissionPolicies, PolicyAdmission } from '#policy';
import type { JudgingSettings, DocumentSlice, Phases, RequestSettings } from '#documents';
import type { DefinitionCache } from './definition-cache.ts';
import { admissionOf, cancelled, notEvaluatedResult } from './judged.ts';
import type { JudgedItem, WriteVerdict } from './judged.ts';
import { NODE_ENGINE } from './node-linker.ts';
import { objectWrite, readItem, validationLimits } from './read-item.ts';
import type { ItemWrite } from './read-item.ts';
import type { PolicyCache } from './policies.ts';
import { isRecordOf } from './recorded-write.ts';
import { badRequestStatus, groupOf, noMatchStatus, notFoundStatus, versionOf } from '#kube';
import type { Status } from '#kube';

/** The compiled definitions and policies of a thread. */
export interface JudgingCaches {
  readonly definitions: DefinitionCache;
  readonly policies: PolicyCache;
  /** Name of the thread in traces: the process id of its host, and its number in the host. */
  readonly thread?: string;
}

/** Computes the verdict on one item. If the token stops the evaluation, the item gets the outcome `cancelled`. */
export function judgeItem(item: DocumentSlice, settings: JudgingSettings, caches: JudgingCaches, token: CancellationToken): JudgedItem {
  try {
    const judged = judge(item, settings, caches, token);
    // If the token stops a policy expression, the expression looks like a failed expression. So the token decides.
    return settings.policies !== undefined && token.cancelled ? cancelled() : judged;
  } catch (error) {
    if (error instanceof Cancelled) return cancelled();
    throw error;
  }
}

/**
 * Computes the verdict on an item. First handles a request to which only policies apply. For a write, finds the item's definition or
 * built-in kind, and validates the object against it.
 */
function judge(item: DocumentSlice, settings: JudgingSettings, caches: JudgingCaches, token: CancellationToken): JudgedItem {
  const started = performance.now();
  const policies = settings.policies === undefined ? undefined : caches.policies.get(settings.policies);
  if (policies?.ok === false) return notEvaluatedResult(policies.status);
  const request = policies && readRequest(item, token);
  if (policies && request) return judgeRequest(request, policies.policies, settings, token);
  const attempt = policies === undefined ? tryReader(item, settings, caches.definitions, token) : undefined;
  if (attempt?.judged) return { ...attempt.judged, phases: { total: performance.now() - started } };
  const read = readItem(item, settings.options.kubernetesVersion, token);
  if (!read.ok) return { outcome: read.outcome, status: read.status, warnings: [], phases: { total: performance.now() - started } };
  const { write } = read;
  const admission = policies && admissionOf(policies.policies, write.settings.userInfo, settings.options, token);
  const definition = findDefinition(write, settings, caches.definitions);
  if (!definition.ok && write.doubled)
    return { ...typeOf(write), ...sentIdentity(write), outcome: 'rejected', status: write.doubled, warnings: [], phases: {} };
  if (!definition.ok && admission !== undefined && isDefinitionKind(write.apiVersion, write.kind))
    return judgeDefinitionItem(write, settings, admission);
  if (!definition.ok) {
    const { status, why } = definition;
    const missing = why === 'missing';
    const unknown: JudgedItem = { ...notEvaluatedResult(status), ...typeOf(write), ...sentIdentity(write), ...(missing && { missing }) };
    if (why === 'unserved') return { ...unknown, outcome: 'rejected' };
    return missing ? judgeBuiltIn(write, settings, { unknown, admission, token }) : unknown;
  }
  const verdict = validate(definition.definition, write, settings, { token, admission, attempt: attempt !== undefined });
  if ('cancelled' in verdict) return cancelled();
  const measured = verdict.phases;
  const phases: Phases = {
    ...(measured && { parse: measured.parse, schema: measured.prune + measured.openapi + measured.lists, cel: measured.cel }),
    total: performance.now() - started,
  };
  return { ...toJudged(verdict, write, admission), definition: definition.definition, phases };
}

/**
 * Result of trying to evaluate an item with the generated reader of its definition. `judged` is undefined if the reader could not compute a
 * verdict.
 */
interface ReaderAttempt {
  readonly judged: Omit<JudgedItem, 'phases'> | undefined;
}

/**
 * Tries to evaluate an item with the generated reader of its definition, without first locating all members of the item. The first members
 * of the item must identify the definition. The reader rejects invalid JSON, and objects that state another type later. Returns undefined
 * if the item does not begin with its type, or if there is no definition with a reader.
 */
function tryReader(
  { bytes, notation }: DocumentSlice,
  settings: JudgingSettings,
  definitions: DefinitionCache,
  token: CancellationToken,
): ReaderAttempt | undefined {
  const type = notation === 'json' ? leadingType(bytes) : undefined;
  if (type === undefined || isRecordOf(type)) return undefined;
  const write: ItemWrite = { ...type, body: bytes, contentType: 'application/json', oldObject: undefined, settings: {} };
  const found = findDefinition(write, settings, definitions);
  if (!found.ok) return undefined;
  const { options } = settings;
  const limits = { ...validationLimits(options), token, timings: true, explain: options.explain };
  const verdict = tryFastAccept(found.definition, objectWrite(write, options), limits);
  if (verdict === undefined) return { judged: undefined };
  if ('cancelled' in verdict) return { judged: cancelled() };
  return { judged: { ...toJudged(verdict, write, undefined), definition: found.definition } };
}

/** Computes the verdict on a request to which only policies apply, and no definition. */
function judgeRequest(
  request: NonNullable<RequestReading>,
  policies: AdmissionPolicies,
  { options }: JudgingSettings,
  token: CancellationToken,
): JudgedItem {
  if (!request.ok) return { outcome: 'rejected', status: request.status, warnings: [], phases: {} };
  const { object, oldObject, operation, userInfo, description } = request.request;
  const admission = admissionOf(policies, userInfo, options, token);
  const defaulted = (one: JsonObject | undefined): JsonObject | undefined =>
    one && withBuiltInDefaults(one, options.kubernetesVersion, token);
  const { refusal, warnings } = admission.judge({ ...description, object: defaulted(object), oldObject: defaulted(oldObject), operation });
  const name = description.name ?? (metadataOf(object) ?? metadataOf(oldObject))?.['name'];
  const findings = { warnings, admission: admission.findings, ...(typeof name === 'string' && { name }), phases: {} };
  return refusal === undefined ? { outcome: 'accepted', ...findings } : { outcome: 'rejected', status: refusal, ...findings };
}

/** Inputs for the verdict on an object of a built-in kind. `unknown` is the verdict if the kind does not exist or there are no policies. */
interface BuiltInJudging {
  readonly unknown: JudgedItem;
  readonly admission: PolicyAdmission | undefined;
  readonly token: CancellationToken;
}

/**
 * Judges an object of a built-in kind by its Go type and by policies. Without policies, an object that fits its type gets the verdict
 * `unknown`, because the server's own validation of the kind is not implemented.
 */
function judgeBuiltIn(write: ItemWrite, { options }: JudgingSettings, { unknown, admission, token }: BuiltInJudging): JudgedItem {
  const started = performance.now();
  const kind = builtInKind(write.apiVersion, write.kind, options.kubernetesVersion);
  if (kind === undefined) return unknown;
  const limits = { token, ...(admission && { admission }) };
  const verdict = judgeBuiltInWrite(kind, objectWrite(write, options), options.kubernetesVersion, limits);
  if (admission === undefined && verdict.accepted) return { ...unknown, warnings: verdict.warnings };
  return { ...toJudged(verdict, write, admission), phases: { total: performance.now() - started } };
}

/**
 * Computes the verdict on a CustomResourceDefinition that is an item of an evaluation with policies. The checks of the server come first,
 * then the validating policies.
 */
function judgeDefinitionItem(write: ItemWrite, { options }: JudgingSettings, admission: PolicyAdmission): JudgedItem {
  const started = performance.now();
  const verdict = judgeDefinitionWrite(objectWrite(write, options), { ...serverOf(options), engine: NODE_ENGINE, admission });
  return { ...toJudged(verdict, write, admission), phases: { total: performance.now() - started } };
}

function validate(
  definition: CompiledDefinition,
  write: ItemWrite,
  { options }: JudgingSettings,
  {
    token,
    admission,
    attempt,
  }: { readonly token: CancellationToken; readonly admission: PolicyAdmission | undefined; readonly attempt: boolean },
): ObjectVerdict {
  const judge = attempt ? validateExactly : validateObject;
  const limits = { ...validationLimits(options), token, ...(admission && { admission }), timings: true, explain: options.explain };
  return judge(definition, objectWrite(write, options), limits);
}

function toJudged(verdict: WriteVerdict, write: ItemWrite, admission: PolicyAdmission | undefined): Omit<JudgedItem, 'phases'> {
  const common = {
    warnings: verdict.warnings,
    verdict,
    admission: admission?.findings,
    ...typeOf(write),
    ...objectIdentity(verdict, write),
  };
  return verdict.accepted
    ? { outcome: 'accepted', object: verdict.object, ...common }
    : { outcome: 'rejected', status: verdict.status, ...common };
}

/**
 * Returns the name and namespace of an object. Takes them from the verdict if the verdict contains them, otherwise from the create or
 * update request.
 */
export function objectIdentity(verdict: WriteVerdict, write: ItemWrite): { name?: string; namespace?: string } {
  const metadata = verdict.accepted ? metadataOf(verdict.object) : undefined;
  const refused = verdict.accepted ? undefined : verdict.status.details?.name;
  const name = metadata?.['name'] ?? refused ?? verdict.sent?.name ?? metadataOf(write.oldObject)?.['name'];
  const namespace = metadata?.['namespace'] ?? verdict.sent?.namespace;
  return { ...(typeof name === 'string' && name !== '' && { name }), ...(typeof namespace === 'string' && { namespace }) };
}

/** Returns the name and namespace that an object has as sent, without using a verdict. */
function sentIdentity({ body, yaml }: ItemWrite): { name?: string; namespace?: string } {
  const metadata = yaml === undefined ? memberOf(body, 'metadata') : yaml.reading.ok && objectOf(yaml.reading.value)?.['metadata'];
  const { name, namespace } = objectOf(metadata) ?? {};
  return { ...(typeof name === 'string' && name !== '' && { name }), ...(typeof namespace === 'string' && { namespace }) };
}

const objectOf = (value: unknown): JsonObject | undefined => (isJsonObject(value as JsonValue) ? (value as JsonObject) : undefined);

function memberOf(bytes: Uint8Array, key: string): JsonValue | undefined {
  const scan = scanMembers(bytes);
  const span = scan.ok ? scan.spans.findLast((member) => member.key === key) : undefined;
  const reading = span && readJson(bytes.subarray(span.start, span.end));
  return reading?.ok === true ? reading.value : undefined;
}

const typeOf = ({ apiVersion, kind }: ItemWrite): { readonly apiVersion: string; readonly kind: string } => ({ apiVersion, kind });

const metadataOf = (object: JsonObject | undefined): JsonObject | undefined => object?.['metadata'] as JsonObject | undefined;

/**
 * Definition by which an item (an object to evaluate) is evaluated, or the Status that says why there is none. `why` is `missing` if the
 * evaluation has no definition of the item's kind. It is `unserved` if the definition does not serve the item's version, so that a server
 * refuses the write. Otherwise no verdict is possible.
 */
type FoundDefinition =
  | { readonly ok: true; readonly definition: CompiledDefinition }
  | { readonly ok: false; readonly status: Status; readonly why?: 'missing' | 'unserved' };

/**
 * Returns the definition for the group, kind and version of an object to evaluate. Returns a Status if there is no such definition, or if a
 * server would refuse it.
 */
function findDefinition(write: ItemWrite, settings: JudgingSettings, cache: DefinitionCache): FoundDefinition {
  const group = groupOf(write.apiVersion);
  const version = versionOf(write.apiVersion);
  if (write.kind === '' || write.apiVersion === '')
    return { ok: false, status: badRequestStatus('apiVersion and kind of the object must be set, to find its definition') };
  const refused = settings.refused.find((candidate) => candidate.groupKind === `${group}/${write.kind}`);
  if (refused) return { ok: false, status: JSON.parse(refused.status) as Status };
  const key = settings.definitions.find((candidate) => candidate.group === group && candidate.kind === write.kind);
  const cached = key && cache.get(key.digest);
  if (cached && !cached.ok) return cached;
  if (cached === undefined) {
    const status = notFoundStatus({ group, resource: write.kind }, version);
    return {
      ok: false,
      why: 'missing',
      status: { ...status, message: `no definition of kind "${write.kind}" in version "${write.apiVersion}" was given` },
    };
  }
  if (!cached.definition.versions.includes(version))
    return { ok: false, why: 'unserved', status: noMatchStatus(write.apiVersion, write.kind) };
  return cached;
}

/** Admission request that does not write a whole object: a deletion, a connection, or a write of a subresource. */
interface ItemRequest {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly operation: RequestSettings['operation'];
  readonly userInfo: RequestSettings['userInfo'];
  /** All other fields of the request. `options` has the form in which it was sent. */
  readonly description: Omit<RequestSettings['request'], 'options'> & { readonly options: JsonObject | undefined };
}

/**
 * Result of reading one entry of a batch as a request to which only admission policies apply, such as a deletion. It is the request, or the
 * error Status if the request cannot be read. Undefined if the entry is not such a request.
 */
type RequestReading = { readonly ok: true; readonly request: ItemRequest } | { readonly ok: false; readonly status: Status } | undefined;

/** Operations of requests that do not write an object. */
const NOT_WRITING: ReadonlySet<unknown> = new Set(['DELETE', 'CONNECT']);

/**
 * Reads an item of an evaluation that describes an admission request instead of an object. Such an item is `{operation, request, object,
 * oldObject, userInfo}`, or an AdmissionReview. Only admission policies apply to it. Returns undefined for any other item.
 */
function readRequest(item: DocumentSlice, token: CancellationToken): RequestReading {
  if (item.notation === 'unread') return undefined;
  if (item.notation === 'json' && !mayBeRequest(item.bytes)) return undefined;
  const reading = item.notation === 'json' ? readJson(item.bytes, token) : readYaml(item.bytes, token);
  if (!reading.ok || !isJsonObject(reading.value)) return undefined;
  const { kind, apiVersion, request, operation } = reading.value;
  if (kind === 'AdmissionReview') return isJsonObject(request) ? reviewed(request) : undefined;
  const isRequest = kind === undefined && apiVersion === undefined && (request !== undefined || NOT_WRITING.has(operation));
  return isRequest ? described(reading.value) : undefined;
}

/** Returns true if a JSON object has a top-level member `operation` or `request`. Does not parse the values of its members. */
function mayBeRequest(bytes: Uint8Array): boolean {
  const scan = scanMembers(bytes);
  return scan.ok && scan.spans.some(({ key }) => key === 'operation' || key === 'request');
}

function described({ object, oldObject, ...rest }: JsonObject): RequestReading {
  const checked = checkRequestSettings(plain(rest));
  if (!checked.ok) return refused(checked.error);
  for (const [name, value] of [
    ['object', object],
    ['oldObject', oldObject],
  ] as const)
    if (value !== undefined && value !== null && !isJsonObject(value)) return refused(`${name}: must be an object`);
  const { operation, userInfo, request } = checked.settings;
  const options = isJsonObject(rest['request']) ? objectIn(rest['request']['options']) : undefined;
  const description = { ...request, options };
  return { ok: true, request: { object: objectIn(object), oldObject: objectIn(oldObject), operation, userInfo, description } };
}

/**
 * Reads the request in an AdmissionReview. Returns undefined if the request is the write of an object. Source: k8s.io/api/admission/v1
 * `AdmissionRequest` (1.37).
 */
function reviewed(review: JsonObject): RequestReading {
  const { operation, subResource, kind, resource, name, namespace, dryRun, options, userInfo, object, oldObject } = review;
  const isWrite = !NOT_WRITING.has(operation) && (subResource === undefined || subResource === '' || subResource === 'status');
  if (isWrite) return undefined;
  const request = given({ kind, resource, subresource: subResource, name, namespace, dryRun, options: options ?? undefined });
  return described(given({ operation, request, userInfo, object, oldObject }));
}

/** Returns an object with only the members whose value is not undefined. */
function given(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.assign(newJsonObject(), Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)));
}

const plain = (value: JsonObject): unknown => JSON.parse(writeJson(value)) as unknown;
const objectIn = (value: JsonValue | undefined): JsonObject | undefined => (isJsonObject(value) ? value : undefined);
const refused = (message: string): RequestReading => ({ ok: false, status: badRequestStatus(message) });
