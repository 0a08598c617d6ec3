import { isJsonObject, newJsonObject } from '#go';
import { latestServer, readObjectMeta } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { ObjectMeta } from '#kube';
import { decodeDefinition } from '../../../libs/crd/src/schema/decode-definition.ts';
import type { ServedVersion } from '../../../libs/crd/src/object/served-version.ts';
import { compileVersion } from '../../../libs/crd/src/definition/compile-definition.ts';
import { coerceMetadata } from '../../../libs/crd/src/object/write/typed-metadata.ts';
import { copyJson } from '../../../libs/go/src/json/value.ts';
import { Polls } from '../../../libs/crd/src/object/write/polls.ts';
import { keepStatusAndCount, withStatus } from '../../../libs/crd/src/object/write/prepare-object.ts';
import { ResourceCheck } from '../../../libs/crd/src/object/write/validate-resource.ts';
import type { UpstreamAnswer, UpstreamJudge } from '../upstream-answer.ts';
import { skip, textOrEmpty } from './compare-run.ts';
import { compareErrors, compareJson, compareTexts, firstDifference, objectsOf, textsOf } from './recorded-errors.ts';

/**
 * Returns a served version whose definition has the schema of the line. The kind is read from the line, or from `object` if the line names
 * no kind.
 */
function servedFor(line: JsonObject, object: JsonObject): ServedVersion | undefined {
  const named = isJsonObject(line['kind']) && textOrEmpty(line['kind']['kind']) !== '' ? line['kind'] : undefined;
  const [group = '', version = ''] = textOrEmpty(object['apiVersion']).split('/');
  const kind = textOrEmpty(named?.['kind']) || textOrEmpty(object['kind']);
  const names = { plural: 'tests', kind };
  const schema = line['schema'] ?? Object.assign(newJsonObject(), { type: 'object' });
  const name = textOrEmpty(named?.['version']) || version;
  const document = {
    metadata: {},
    spec: {
      group: textOrEmpty(named?.['group']) || group,
      scope: line['namespaceScoped'] === true ? 'Namespaced' : 'Cluster',
      names,
      versions: [{ name, served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  } as unknown as JsonValue;
  const reading = decodeDefinition(document);
  const first = reading.ok ? reading.definition.spec.versions[0] : undefined;
  if (!reading.ok || first === undefined) return undefined;
  const served = compileVersion(reading.definition, first, latestServer());
  return served.ok ? served.version : undefined;
}

function metaOf(object: JsonObject): ObjectMeta {
  const typed = coerceMetadata(copyJson(object['metadata'] ?? null), 'reject');
  return readObjectMeta(typed.ok ? typed.metadata : {});
}

function judgeValidation(line: JsonObject, object: JsonObject, old: JsonObject | undefined): UpstreamAnswer {
  const version = servedFor(line, object);
  if (version === undefined) return skip('no definition has this schema');
  if (textOrEmpty(line['test']).includes('pattern')) return skip('the schema is not recorded');
  const warnings: string[] = [];
  const context = {
    options: {},
    polls: new Polls(undefined),
    warn: (text: string) => warnings.push(text),
    note: () => undefined,
    timed: <T>(_: unknown, run: () => T) => run(),
  };
  const update = old && { oldMeta: metaOf(old), statusOnly: textOrEmpty(line['function']).startsWith('status'), changed: undefined };
  const errors = new ResourceCheck(version, context).validate({ object, old, meta: metaOf(object), update });
  return firstDifference(
    () => compareErrors(line['errors'], errors),
    () => compareTexts('warnings', textsOf(line['warnings']), warnings),
  );
}

function judgeMetadata(line: JsonObject, object: JsonObject): UpstreamAnswer {
  const metadata = object['metadata'];
  if (textOrEmpty(objectsOf(line['errors'])[0]?.['detail']).startsWith('cannot restore'))
    return skip('metadata that decoding refuses before');
  const result = coerceMetadata(copyJson(metadata ?? null), 'reject');
  const recorded = objectsOf(line['errors']).map((error) => textOrEmpty(error['detail']));
  if (!result.ok || recorded.length > 0) return compareTexts('errors', recorded, result.ok ? [] : [result.error]);
  return compareJson('metadata', line['output'] ?? {}, result.metadata);
}

/**
 * Compares Assay's results with lines of the table `cr-strategy`: the preparation of a custom resource for storage, and its complete
 * validation.
 */
export const judgeStrategy: UpstreamJudge = (line) => {
  const object = line['value'];
  const old = line['oldValue'];
  if (!isJsonObject(object)) return skip('no object');
  const name = textOrEmpty(line['function']);
  switch (name) {
    case 'getObjectMeta':
      return judgeMetadata(line, object);
    case 'prepareForUpdate': {
      const updated = copyJson(object);
      keepStatusAndCount(updated, old as JsonObject, line['hasStatusSubresource'] === true);
      return compareJson('output', line['output'], updated);
    }
    case 'statusPrepareForUpdate':
      return compareJson('output', line['output'], withStatus(old as JsonObject, object));
    case 'validate':
    case 'validateUpdate':
    case 'statusValidateUpdate':
    case 'validatorValidate':
    case 'validatorValidateUpdate':
      return judgeValidation(line, copyJson(object), isJsonObject(old) ? copyJson(old) : undefined);
    default:
      return skip('field selectors are for reading');
  }
};
