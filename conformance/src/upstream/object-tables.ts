import { isJsonObject } from '#go';
import { LATEST_MINOR, latestServer, LATEST_WORDING } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import { createOptions } from '../../../libs/crd/src/definition/admission/options.ts';
import { hasUnprunedDefaults } from '../../../libs/crd/src/definition/admission/prune-defaults.ts';
import { validateDefaults } from '../../../libs/crd/src/definition/admission/validate-defaults.ts';
import type { SchemaProps } from '../../../libs/crd/src/schema/schema-props.ts';
import type { Structural } from '../../../libs/crd/src/structural/structural.ts';
import { coerceEmbedded } from '../../../libs/crd/src/object/write/coerce-object.ts';
import { copyJson } from '../../../libs/go/src/json/value.ts';
import { applyDefaults } from '../../../libs/crd/src/object/write/default.ts';
import { validateEmbedded } from '../../../libs/crd/src/object/write/embedded.ts';
import { validateListTypes } from '../../../libs/crd/src/object/write/list-types.ts';
import { Polls } from '../../../libs/crd/src/object/write/polls.ts';
import { prune } from '../../../libs/crd/src/object/write/prune.ts';
import { coerceMetadata } from '../../../libs/crd/src/object/write/typed-metadata.ts';
import { canonicalText } from '../canonical-text.ts';
import type { UpstreamAnswer, UpstreamJudge } from '../upstream-answer.ts';
import { AGREE, differ, skip, textOrEmpty } from './compare-run.ts';
import { compareErrors, compareJson, compareTexts, firstDifference, recordedPath, textsOf } from './recorded-errors.ts';
import { recordedSchema, recordedStructural } from './recorded-schema.ts';

/** One recorded step of a write, with its schema in structural form. */
interface Step {
  readonly line: JsonObject;
  readonly structural: Structural;
  /** Copy of the recorded value, which the step may change. */
  readonly value: JsonValue;
}

const polls = (): Polls => new Polls(undefined);

function unknownFields(line: JsonObject, ours: readonly string[]): UpstreamAnswer {
  return line['trackUnknownFieldPaths'] === true ? compareTexts('unknown fields', textsOf(line['unknownFieldPaths']), ours) : AGREE;
}

const STEPS: Readonly<Record<string, (step: Step) => UpstreamAnswer>> = {
  prune: ({ line, structural, value }) => {
    const unknown = prune(value, structural);
    return firstDifference(
      () => compareJson('output', line['output'], value),
      () => unknownFields(line, unknown),
    );
  },
  default: ({ line, structural, value }) => {
    applyDefaults(value, structural);
    return compareJson('output', line['output'], value);
  },
  listtype: ({ line, structural, value }) => {
    // Assay's paths begin at the object. In the recorded errors, the recorded path precedes them.
    return compareErrors(line['errors'], validateListTypes(value, structural, polls()), `${textOrEmpty(line['path'])}.`);
  },
  coerce: ({ line, structural, value }) => {
    const result = coerceEmbedded(recordedPath(line['path']), value, structural, line['dropInvalidFields'] === true ? 'drop' : 'reject');
    const recorded = line['error'];
    if (!result.ok || recorded !== undefined)
      return compareErrors(recorded === undefined ? [] : [recorded], result.ok ? [] : [result.error]);
    return firstDifference(
      () => compareJson('output', line['output'], value),
      () => unknownFields(line, result.unknownFields),
    );
  },
  objectmetaValidate: ({ line, structural, value }) =>
    compareErrors(line['errors'], validateEmbedded(recordedPath(line['path']), value, structural, LATEST_WORDING)),
};

function judgeDefaults(line: JsonObject, schema: SchemaProps, structural: Structural): UpstreamAnswer {
  if (line['isResourceRoot'] !== true) return skip('only whole definitions are judged');
  const path = recordedPath(line['path']);
  if (path === undefined) return skip('no path');
  const options = { ...createOptions(latestServer()), requirePrunedDefaults: line['requirePrunedDefaults'] === true };
  const result = validateDefaults(path, schema, structural, options);
  if (!result.ok) return compareTexts('error', [textOrEmpty(line['error'])], [result.error]);
  return line['error'] === undefined ? compareErrors(line['errors'], result.errors) : differ('error', textOrEmpty(line['error']), 'none');
}

function judgeMetadata(line: JsonObject): UpstreamAnswer {
  const object = line['value'];
  if (!isJsonObject(object)) return skip('no object');
  const metadata = object['metadata'];
  if (metadata === undefined) return line['found'] === false ? AGREE : differ('found', 'true', 'false');
  const result = coerceMetadata(copyJson(metadata), line['dropMalformedFields'] === true ? 'drop' : 'reject');
  const recorded = line['error'];
  if (!result.ok || recorded !== undefined) {
    const detail = isJsonObject(recorded) ? textOrEmpty(recorded['detail']) : textOrEmpty(recorded);
    return compareTexts('error', [detail], [result.ok ? '' : result.error]);
  }
  return firstDifference(
    () => (line['found'] === true ? compareJson('metadata', line['metadata'] ?? null, result.metadata) : AGREE),
    () => {
      const parent = textOrEmpty(line['parentPath']);
      const prefix = parent === '' || parent === '<nil>' ? 'metadata' : `${parent}.metadata`;
      return unknownFields(
        line,
        result.unknownFields.map((field) => `${prefix}.${field}`),
      );
    },
  );
}

/** Compares Assay's results with lines of the table `object-steps`: single steps of a write, such as pruning and defaulting. */
export const judgeObjectStep: UpstreamJudge = (line) => {
  const name = textOrEmpty(line['function']);
  if (name === 'getObjectMeta') return judgeMetadata(line);
  const schema = recordedSchema(line['schema']);
  const structural = recordedStructural(line['schema'], line['isResourceRoot'] === true ? 'resource' : 'value');
  if (structural === undefined) return skip('the schema has no v1 form');
  if (name === 'validateDefaults') return schema === undefined ? skip('no schema') : judgeDefaults(line, schema, structural);
  if (name === 'pruneDefaults') {
    const changed = canonicalText(line['schema']) !== canonicalText(line['outputSchema']);
    return schema !== undefined && hasUnprunedDefaults(schema, LATEST_MINOR) === changed
      ? AGREE
      : differ('pruned', String(changed), String(!changed));
  }
  const step = STEPS[name];
  return step === undefined ? skip(`unknown function ${name}`) : step({ line, structural, value: copyJson(line['value'] ?? null) });
};
