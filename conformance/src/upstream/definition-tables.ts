import { newJsonObject } from '#go';
import { childPath, LATEST_MINOR, latestServer } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { FieldError } from '#kube';
import { definitionConditions } from '../../../libs/crd/src/definition/judge-definition.ts';
import { definitionWarnings } from '../../../libs/crd/src/definition/admission/definition-warnings.ts';
import { hoist } from '../../../libs/crd/src/definition/admission/hoist.ts';
import type { HoistedDefinition } from '../../../libs/crd/src/definition/admission/hoist.ts';
import { createOptions, updateOptions } from '../../../libs/crd/src/definition/admission/options.ts';
import { sameSpec, statusForCreate, statusForUpdate } from '../../../libs/crd/src/definition/admission/prepare.ts';
import { SchemaContexts } from '../../../libs/crd/src/definition/admission/schema-contexts.ts';
import { validateDefinition, validateStoredVersions } from '../../../libs/crd/src/definition/admission/validate-definition.ts';
import { deprecationWarningTexts } from '../../../libs/crd/src/definition/admission/validate-version.ts';
import { DefinitionWording } from '../../../libs/crd/src/definition/admission/wording.ts';
import { decodeDefinition } from '../../../libs/crd/src/schema/decode-definition.ts';
import type { Definition } from '../../../libs/crd/src/schema/definition.ts';
import { encodeDefinition } from '../../../libs/crd/src/schema/encode-definition.ts';
import { ABSENT_LIST } from '../../../libs/crd/src/schema/schema-props.ts';
import { storedNumbers } from '../../../libs/crd/src/schema/stored-numbers.ts';
import type { UpstreamJudge } from '../upstream-answer.ts';
import { skip, textOrEmpty } from './compare-run.ts';
import { compareErrors, compareJson, compareTexts, firstDifference, objectsOf, recordedPath, textsOf } from './recorded-errors.ts';

function recordedDefinition(json: JsonValue | undefined): Definition | undefined {
  const reading = decodeDefinition(storedNumbers(json ?? null));
  return reading.ok ? reading.definition : undefined;
}

function optionsFor(definition: Definition, old: Definition | undefined) {
  return old === undefined ? createOptions(latestServer()) : updateOptions(latestServer(), definition, old);
}

function validated(hoisted: HoistedDefinition, requested: Definition, old: Definition | undefined): FieldError[] {
  const options = optionsFor(requested, old);
  return validateDefinition(hoisted, old, options, new SchemaContexts(options).of);
}

/**
 * Compares Assay's results with a line of the table `crd-write` or `crd-write-derived`. The line records what upstream returns when a
 * definition is written: errors, warnings and, for some lines, the prepared definition.
 */
export const judgeDefinitionWrite: UpstreamJudge = (line) => {
  const requested = recordedDefinition(line['crd']);
  const update = line['operation'] !== 'create';
  const old = update ? recordedDefinition(line['oldCrd']) : undefined;
  if (requested === undefined || (update && old === undefined)) return skip('the definition cannot be decoded');
  const prepared = prepare(requested, old);
  const recorded = line['prepared'];
  return firstDifference(
    () => compareErrors(line['errors'], validated(hoist(prepared), requested, old)),
    () => compareTexts('warnings', textsOf(line['warnings']), warningTexts(hoist(prepared), old)),
    () =>
      recorded === undefined
        ? compareTexts('', [], [])
        : compareJson('prepared', normalized(recorded), normalized(encodeDefinition(prepared))),
  );
};

const warningTexts = (...definitions: [now: HoistedDefinition, old: Definition | undefined]): string[] =>
  definitionWarnings(...definitions, LATEST_MINOR).map(({ text }) => text);

/**
 * Prepares a definition for storage like the recorded upstream function, which leaves out the preparation that is common to all resources.
 */
function prepare(requested: Definition, old: Definition | undefined): Definition {
  const metadata = Object.assign(newJsonObject(), requested.metadata);
  if (old === undefined) return { ...requested, metadata: Object.assign(metadata, { generation: 1 }), status: statusForCreate(requested) };
  const generation = Number(old.metadata['generation'] ?? 0) + (sameSpec(requested, old) ? 0 : 1);
  if (generation === 0) delete metadata['generation'];
  else metadata['generation'] = generation;
  return { ...requested, metadata, status: statusForUpdate(requested, old) };
}

/** Decodes a definition and encodes it again, so that an absent field and an empty field become equal. */
function normalized(json: JsonValue): JsonValue {
  const definition = recordedDefinition(json);
  return definition === undefined ? json : encodeDefinition(definition);
}

/**
 * Compares Assay's results with a line of the table `crd-validate`. The line records the errors that upstream finds in the internal type of
 * a definition. It lists the fields that this type has at the top level of the spec.
 */
export const judgeDefinitionValidation: UpstreamJudge = (line) => {
  if (line['conversionError'] !== undefined) return skip('has no v1 form');
  if (line['operation'] === 'updateStatus') return skip('definitions are never written through their status here');
  if (textsOf(line['topLevel']).includes('version')) return skip('has no v1 form: names a version at the top');
  if (objectsOf(line['errors']).some((error) => textOrEmpty(error['detail']).includes('mutually exclusive')))
    return skip('has no v1 form: says things twice');
  const definition = recordedDefinition(line['crd']);
  const update = line['operation'] === 'update';
  const old = update ? recordedDefinition(line['oldCrd']) : undefined;
  if (definition === undefined || (update && old === undefined)) return skip('the definition cannot be decoded');
  if (old !== undefined && hoist(old).hasValidation !== textsOf(line['oldTopLevel']).includes('validation')) {
    return skip('has no v1 form: equal schemas stand apart');
  }
  return compareErrors(line['errors'], validated(withTop(definition, textsOf(line['topLevel'])), definition, old));
};

/** Returns the internal form of a definition with exactly the fields `top` at the top level of the spec. */
function withTop(definition: Definition, top: readonly string[]): HoistedDefinition {
  const { versions } = definition.spec;
  const first = versions[0];
  const has = (field: string): boolean => top.includes(field);
  return {
    definition,
    hasValidation: has('validation'),
    schema: has('validation') ? first?.schema : undefined,
    subresources: has('subresources') ? first?.subresources : undefined,
    printerColumns: has('additionalPrinterColumns') ? (first?.printerColumns ?? []) : [],
    selectableFields: has('selectableFields') ? (first?.selectableFields ?? []) : [],
    versions: versions.map((version) => ({
      ...version,
      ...(has('validation') ? { hasValidation: false, schema: undefined } : {}),
      ...(has('subresources') ? { subresources: undefined } : {}),
      ...(has('additionalPrinterColumns') ? { printerColumns: ABSENT_LIST } : {}),
      ...(has('selectableFields') ? { selectableFields: ABSENT_LIST } : {}),
    })),
  };
}

/**
 * Compares Assay's results with a line of the table `crd-misc`. The line records the errors that upstream finds in a deprecation warning or
 * in a list of stored versions.
 */
export const judgeDefinitionMisc: UpstreamJudge = (line) => {
  if (line['function'] === 'validateDeprecationWarning') {
    const warning = line['deprecationWarning'];
    const ours = deprecationWarningTexts(line['deprecated'] === true, typeof warning === 'string' ? warning : undefined);
    return compareTexts('errors', textsOf(line['result']), ours);
  }
  if (Array.isArray(line['storedVersions']) && line['storedVersions'].length === 0) return skip('an empty list where servers have none');
  const versions = objectsOf(line['versions']);
  const definition = recordedDefinition(Object.assign(newJsonObject(), { spec: Object.assign(newJsonObject(), { versions }) }));
  if (definition === undefined) return skip('the versions cannot be decoded');
  const status = { ...definition.status, storedVersions: textsOf(line['storedVersions']) };
  const path = recordedPath(line['path']) ?? childPath(undefined, 'status');
  return compareErrors(
    line['errors'],
    validateStoredVersions({ spec: definition.spec, status }, path, new DefinitionWording(LATEST_MINOR)),
  );
};

/**
 * Compares Assay's results with a line of the table `crd-strategy`. The line records one result of upstream: the warnings about a
 * definition, or its condition `NonStructuralSchema`. Skips lines with other results.
 */
export const judgeDefinitionStrategy: UpstreamJudge = (line) => {
  const definition = recordedDefinition(line['crd']);
  if (definition === undefined) return skip('the definition cannot be decoded');
  const old = recordedDefinition(line['oldCrd']);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the record names the function
  switch (line['function']) {
    case 'warningsOnCreate':
    case 'warningsOnUpdate': {
      if (line['crdTopLevel'] !== undefined) return skip('has no v1 form: no versions');
      const ours = warningTexts(hoist(definition), line['function'] === 'warningsOnUpdate' ? old : undefined);
      return compareTexts('warnings', textsOf(line['warnings']), ours);
    }
    case 'nonStructuralCondition': {
      const condition = definitionConditions(definition, LATEST_MINOR).find(({ type }) => type === 'NonStructuralSchema');
      const recorded = line['condition'] as JsonObject | null;
      const ours = condition === undefined ? [] : [`${condition.reason}: ${condition.message}`];
      return compareTexts(
        'condition',
        recorded === null ? [] : [`${textOrEmpty(recorded['reason'])}: ${textOrEmpty(recorded['message'])}`],
        ours,
      );
    }
    case 'dropDisabledFields':
      return skip('feature gates are those of a server without flags');
    default:
      return skip('names are accepted in a cluster, against other definitions');
  }
};
