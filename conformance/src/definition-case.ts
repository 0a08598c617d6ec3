import { judgeDefinition } from '#crd';
import type { DefinitionVerdict, FieldValidation, RuleCost } from '#crd';
import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { CaseProblem, definitionDocument, OBJECT_UID, STORED_REVISION, textField } from './case-context.ts';
import type { CaseContext } from './case-context.ts';
import { spelledBody } from './spelled-case.ts';
import { errorJson, jsonObject, nonEmpty } from './verdict-json.ts';

function ruleJson(rule: RuleCost): JsonObject {
  const json = jsonObject({
    version: rule.version,
    path: rule.path,
    rule: rule.rule || undefined,
    maxCost: String(rule.maxCost),
    totalCost: String(rule.totalCost),
    usesOldSelf: rule.usesOldSelf,
    messageMaxCost: rule.messageMaxCost === undefined ? undefined : String(rule.messageMaxCost),
    error: rule.error,
    messageError: rule.messageError,
  });
  json['cardinality'] = rule.cardinality === undefined ? null : String(rule.cardinality);
  return json;
}

function verdictJson(verdict: DefinitionVerdict): JsonObject {
  const { accepted, status } = verdict;
  const schemaCost = newJsonObject();
  for (const [version, cost] of verdict.schemaCost) schemaCost[version] = String(cost);
  return jsonObject({
    accepted,
    code: status?.code,
    reason: status?.reason || undefined,
    message: status?.message,
    errors: nonEmpty(verdict.errors.map(errorJson)),
    warnings: nonEmpty([...verdict.warnings]),
    crd: verdict.stored,
    conditions: nonEmpty(verdict.conditions.map((condition) => jsonObject({ ...condition }))),
    rules: nonEmpty(verdict.rules.map(ruleJson)),
    schemaCost: verdict.schemaCost.size === 0 ? undefined : schemaCost,
  });
}

/**
 * Returns a definition as the oracle stores it: its metadata, if present, get a `uid` and a `resourceVersion`. Selectable fields are
 * removed if their feature gate is off.
 */
function asStored(document: JsonValue, { gates }: CaseContext): JsonValue {
  if (!isJsonObject(document)) return document;
  const stored = Object.assign(newJsonObject(), document);
  const { metadata, spec } = document;
  if (isJsonObject(metadata))
    stored['metadata'] = Object.assign(newJsonObject(), metadata, { uid: OBJECT_UID, resourceVersion: STORED_REVISION });
  const versions = isJsonObject(spec) ? spec['versions'] : undefined;
  if (gates.CustomResourceFieldSelectors || !Array.isArray(versions)) return stored;
  const kept = versions.map((version) => {
    const copy = Object.assign(newJsonObject(), version);
    delete copy['selectableFields'];
    return isJsonObject(version) ? copy : version;
  });
  stored['spec'] = Object.assign(newJsonObject(), spec, { versions: kept });
  return stored;
}

/** Computes the verdict on a case of kind `crd` or `crdUpdate`. */
export function judgeDefinitionCase(test: JsonObject, context: CaseContext): JsonObject {
  const raw = textField(test, 'raw');
  const document = raw ?? spelledBody(test) ?? definitionDocument(test, context);
  if (typeof document !== 'string' && !isJsonObject(document)) throw new CaseProblem('the CRD is no object');
  const old =
    textField(test, 'kind') === 'crdUpdate' ? asStored(definitionDocument(test, context, 'oldCrd', 'oldCrdFile', ''), context) : undefined;
  const fieldValidation = (textField(test, 'fieldValidation') || 'Warn') as FieldValidation;
  const contentType = textField(test, 'contentType');
  const verdict = judgeDefinition(document, old, {
    minor: context.minor,
    gates: context.gates,
    engine: context.engine,
    fieldValidation,
    contentType: contentType ?? (raw === undefined ? 'application/json' : undefined),
  });
  return verdictJson(verdict);
}
