import { isJsonObject, newJsonObject } from '#go';
import { LATEST_MINOR, latestServer } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import { createOptions } from '../../../libs/crd/src/definition/admission/options.ts';
import type { AdmissionOptions } from '../../../libs/crd/src/definition/admission/options.ts';
import type { ExpressionEnvironments } from '../../../libs/crd/src/definition/admission/expression-environments.ts';
import { RuleContext } from '../../../libs/crd/src/definition/admission/rule-context.ts';
import { validateSchema } from '../../../libs/crd/src/definition/admission/validate-schema.ts';
import { toStructural } from '../../../libs/crd/src/structural/from-schema.ts';
import { validateStructural } from '../../../libs/crd/src/structural/validate-structural.ts';
import { environmentFor } from '#cel';
import type { UpstreamJudge } from '../upstream-answer.ts';
import { skip, textOrEmpty } from './compare-run.ts';
import { compareErrors, compareJson, compareTexts, recordedPath, textsOf } from './recorded-errors.ts';
import { recordedSchema } from './recorded-schema.ts';
import { structuralJson } from './structural-json.ts';

/** Converts the switches that were recorded for a validation call to admission options. */
function recordedOptions(switches: JsonObject): AdmissionOptions {
  const on = (name: string): boolean => switches[name] === true;
  const stored = {
    rules: new Set(textsOf(switches['preexistingRules'])),
    messages: new Set(textsOf(switches['preexistingMessageExpressions'])),
  };
  const environments: ExpressionEnvironments = {
    minor: LATEST_MINOR,
    forRule: (text) => environmentFor(LATEST_MINOR, stored.rules.has(text) ? 'stored' : 'new'),
    forMessage: (text) => environmentFor(LATEST_MINOR, stored.messages.has(text) ? 'stored' : 'new'),
  };
  return {
    ...createOptions(latestServer()),
    environments,
    requireKnownTypes: on('requireValidPropertyType'),
    requireStructural: on('requireStructuralSchema'),
    requirePrunedDefaults: on('requirePrunedDefaults'),
    requireAtomicSets: on('requireAtomicSetType'),
    requireMapListKeys: on('requireMapListKeysMapSetValidation'),
  };
}

/** Compares Assay's results with lines of the table `crd-schema`: the validation of the schema of one version. */
export const judgeVersionSchema: UpstreamJudge = (line) => {
  if (line['conversionError'] !== undefined) return skip('has no v1 form');
  if (textOrEmpty(line['test']).includes('before_v1.30')) return skip('an environment older than any supported one');
  const schema = recordedSchema(line['schema']);
  if (schema === undefined) return skip('the schema cannot be decoded');
  const switches = (line['options'] ?? {}) as JsonObject;
  if (switches['allowDefaults'] !== true && line['schema'] !== null && JSON.stringify(line['schema']).includes('"default"')) {
    return skip('v1 allows defaults always');
  }
  const options = recordedOptions(switches);
  const path = recordedPath(line['path']);
  if (path === undefined) return skip('no path');
  const context = RuleContext.root(schema, options.environments);
  const suppressCost = switches['suppressPerExpressionCost'] === true;
  return compareErrors(
    line['errors'],
    validateSchema(schema, path, { statusEnabled: line['statusEnabled'] === true, options, suppressCost, context }),
  );
};

const BOUND = /^(?:min|max)(?:Length|Items|Properties)$/;

function hasUnreachableBound(json: JsonValue | undefined): boolean {
  if (Array.isArray(json)) return json.some(hasUnreachableBound);
  if (!isJsonObject(json)) return false;
  return Object.entries(json).some(([key, value]) => (BOUND.test(key) && typeof value === 'bigint') || hasUnreachableBound(value));
}

/** Returns a recorded schema without the empty fields of `externalDocs`, because v1 does not encode them. */
function withoutEmptyDocs(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(withoutEmptyDocs);
  if (!isJsonObject(json)) return json;
  const out = newJsonObject();
  for (const [key, value] of Object.entries(json)) {
    const docs =
      key === 'externalDocs' && isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([, text]) => text !== '')) : value;
    out[key] = withoutEmptyDocs(docs);
  }
  return out;
}

/**
 * Compares Assay's results with lines of the table `structural`: the conversion of schemas to structural form and the rules for structural
 * schemas.
 */
export const judgeStructural: UpstreamJudge = (line) => {
  if (line['function'] === 'newStructural') {
    if (isJsonObject(line['schema']) && '$unconvertible' in line['schema']) return skip('the schema is not recorded');
    if (hasUnreachableBound(line['schema'])) return skip('bounds beyond 2^53, which no text or list can reach');
    const schema = recordedSchema(line['schema']);
    if (schema === undefined) return skip('the schema cannot be decoded');
    const converted = toStructural(schema);
    if (!converted.ok || line['error'] !== undefined) {
      return compareTexts('error', [textOrEmpty(line['error'])], [converted.ok ? '' : converted.error]);
    }
    return compareJson('structural', withoutEmptyDocs(line['structural'] ?? null), structuralJson(converted.structural));
  }
  const schema = recordedSchema(line['structural']);
  const converted = schema && toStructural(schema);
  if (converted?.ok !== true) return skip('the structural schema has no v1 form');
  const given = (line['options'] ?? {}) as JsonObject;
  const options = {
    documentation: 'counts' as const,
    nestedAdditionalProperties: given['allowNestedAdditionalProperties'] === true,
    closedMaps: 'ignored' as const,
    nestedRules: given['allowNestedXValidations'] === true,
    propertiesUnderAdditional: given['allowValidationPropertiesWithAdditionalProperties'] === true,
  };
  return compareErrors(line['errors'], validateStructural(recordedPath(line['path']), converted.structural, options));
};
