import type { EngineChoice } from '#cel';
import { compileStoredDefinition, validateObject } from '#crd';
import type { CompiledDefinition, ObjectWrite } from '#crd';
import { compareBytes, newJsonObject, isJsonObject, readJson, readFirstDocument, utf8Bytes, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { Members, readTree, writeTree } from './random/tree.ts';
import { spelledBody } from './spelled-case.ts';
import { CaseProblem, definitionDocument, numberField, OBJECT_UID, STORED_REVISION, textField } from './case-context.ts';
import type { CaseContext } from './case-context.ts';
import { errorJson, jsonObject, nonEmpty } from './verdict-json.ts';

/**
 * Maximum number of compiled definitions in the cache. The cache contains the definitions of the latest cases, keyed by document and
 * patches.
 */
const CACHE_SIZE = 24;
const compiled = new Map<string, CompiledDefinition>();

const engineName = (engine: EngineChoice | undefined): string => (typeof engine === 'object' ? engine.kind : (engine ?? 'none'));

function definitionOf(test: JsonObject, context: CaseContext): CompiledDefinition {
  const patches = test['crdPatches'] ?? null;
  const source = textField(test, 'crdFile') ?? writeJson(test['crd'] ?? null);
  const key = `${context.minor} ${engineName(context.engine)} ${source} ${writeJson(patches)}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const outcome = compileStoredDefinition(definitionDocument(test, context), { ...context, servesAll: true });
  if (!outcome.ok) throw new CaseProblem(`the CRD is not readable: ${outcome.status.message}`);
  if (compiled.size >= CACHE_SIZE) compiled.delete(compiled.keys().next().value as string);
  compiled.set(key, outcome.definition);
  return outcome.definition;
}

/** Returns the metadata of a body; undefined if there are none. The body may be malformed. */
function looseMetadata(body: JsonValue): JsonObject | undefined {
  const metadata = isJsonObject(body) ? body['metadata'] : undefined;
  return isJsonObject(metadata) ? metadata : undefined;
}

function looseBody(raw: string): JsonValue {
  const json = readJson(raw);
  if (json.ok) return json.value;
  const yaml = readFirstDocument(raw);
  return yaml.ok ? yaml.value : null;
}

/** Options for writing a body as JSON if the original spelling of the body is unknown. */
const AS_SENT = { escapeHtml: false, keys: 'own' } as const;

const CREATED_AT = '2020-01-01T00:00:00Z';

/** Returns the stored object of an update, completed with the fields that every stored object has. */
function storedObject(test: JsonObject, body: JsonValue, definition: CompiledDefinition, version: string): JsonObject {
  const raw = test['oldObject'];
  if (!isJsonObject(raw)) throw new CaseProblem('oldObject is missing');
  const old = Object.assign(newJsonObject(), raw);
  const requestMetadata = looseMetadata(body);
  const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
  if (text(old['apiVersion']) === '') old['apiVersion'] = `${definition.group}/${version}`;
  if (text(old['kind']) === '') old['kind'] = definition.kind;
  const metadata = Object.assign(newJsonObject(), isJsonObject(raw['metadata']) ? raw['metadata'] : undefined);
  const complete = (field: string, value: string): void => {
    if (text(metadata[field]) === '') metadata[field] = value;
  };
  complete('name', text(requestMetadata?.['name']) || 'test');
  if (definition.scope === 'Namespaced') complete('namespace', text(requestMetadata?.['namespace']) || 'default');
  complete('uid', OBJECT_UID);
  complete('creationTimestamp', CREATED_AT);
  metadata['resourceVersion'] = STORED_REVISION;
  old['metadata'] = metadata;
  return old;
}

/**
 * Writes the name of the stored object into the body of the request, like a client that has read the object before. The top level and the
 * metadata are written with sorted keys. All deeper values keep their spelling.
 */
function withName(body: string, name: string): string {
  const tree = readTree(body);
  const metadata = tree instanceof Members ? (tree.get('metadata') ?? null) : undefined;
  if (!(tree instanceof Members) || (metadata !== null && !(metadata instanceof Members))) return body;
  const named = sorted(metadata ?? new Members()).set('name', name);
  return escapedHtml(writeTree(sorted(sorted(tree).set('metadata', sorted(named)))));
}

/**
 * Returns the members in the order in which Go writes a map: keys sorted by their bytes. For a repeated key, only the last value is kept.
 */
function sorted(members: Members): Members {
  const entries = [...new Map(members.entries)];
  return new Members(entries.sort(([a], [b]) => compareBytes(a, b)));
}

function escapedHtml(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Computes the verdict on a case of kind `object`, `objectUpdate` or `statusUpdate`. */
export function judgeObjectCase(test: JsonObject, context: CaseContext): JsonObject {
  const definition = definitionOf(test, context);
  const version = textField(test, 'version') || definition.storageVersion;
  const kind = textField(test, 'kind');
  const raw = textField(test, 'raw');
  let body = raw ?? spelledBody(test) ?? writeJson(test['object'] ?? null, AS_SENT);
  const loose = raw === undefined ? (test['object'] ?? null) : looseBody(raw);
  const update = kind !== 'object';
  const served = definition.serve(version);
  if (served === undefined) throw new CaseProblem(`the CRD has no version ${JSON.stringify(version)}`);
  if (!served.ok) throw new CaseProblem(`the handler cannot serve the CRD: ${served.error}`);
  if (kind === 'statusUpdate' && !served.version.hasStatus) {
    throw new CaseProblem(`version ${JSON.stringify(version)} of the CRD has no status subresource`);
  }
  const oldObject = update ? storedObject(test, loose, definition, version) : undefined;
  if (oldObject !== undefined && raw === undefined) {
    const name = looseMetadata(loose)?.['name'];
    if (typeof name !== 'string' || name === '') body = withName(body, String((oldObject['metadata'] as JsonObject)['name']));
  }
  const write: ObjectWrite = {
    operation: update ? 'UPDATE' : 'CREATE',
    ...(kind === 'statusUpdate' ? { subresource: 'status' } : {}),
    // Clients send bytes, and bytes also test the generated readers.
    body: utf8Bytes(body),
    contentType: textField(test, 'contentType') ?? (raw === undefined ? 'application/json' : undefined),
    ...(oldObject === undefined ? {} : { oldObject }),
    fieldValidation: textField(test, 'fieldValidation') || 'Warn',
    version,
  };
  const costLimit = numberField(test, 'costLimit');
  const budget = numberField(test, 'budget');
  const verdict = validateObject(definition, write, { costLimit, budget });
  // Before a write with another budget, the oracle sent the same write with the usual budget. It recorded the warnings of both.
  const first = budget === undefined ? verdict : validateObject(definition, write, { costLimit });
  if ('cancelled' in verdict || 'cancelled' in first) throw new CaseProblem('cancelled');
  const common = { warnings: nonEmpty([...new Set([...first.warnings, ...verdict.warnings])]), celCost: verdict.cost.cel };
  if (verdict.accepted) return jsonObject({ accepted: true, object: verdict.object, ...common });
  const { code, reason, message } = verdict.status;
  return jsonObject({
    accepted: false,
    code,
    reason: reason || undefined,
    message,
    errors: nonEmpty(verdict.errors.map(errorJson)),
    ...common,
  });
}
