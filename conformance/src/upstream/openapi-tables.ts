import { isJsonObject } from '#go';
import { LATEST_MINOR, minorNumber, pathText } from '#kube';
import type { JsonValue } from '#go';
import { Correlation } from '../../../libs/crd/src/object/correlate.ts';
import { behaviourOf } from '../../../libs/crd/src/minors/validation-behaviour.ts';
import { compileNode, compileValidator } from '../../../libs/crd/src/object/openapi/compile-validator.ts';
import { SchemaWalk } from '../../../libs/crd/src/object/openapi/schema-walk.ts';
import { Polls } from '../../../libs/crd/src/object/write/polls.ts';
import type { UpstreamJudge } from '../upstream-answer.ts';
import { skip, textOrEmpty } from './compare-run.ts';
import { compareErrors, compareTexts, objectsOf, recordedPath } from './recorded-errors.ts';
import { recordedSchema, recordedStructural } from './recorded-schema.ts';

/**
 * Compares Assay's results with lines of the table `openapi-validate`: the field errors of an object that is validated against a schema.
 */
export const judgeOpenApi: UpstreamJudge = (line) => {
  if (isJsonObject(line['schema']) && '$unconvertible' in line['schema']) return skip('the schema is not recorded');
  const schema = recordedSchema(line['schema']);
  if (schema === undefined) return skip('the schema cannot be decoded');
  const behaviour = behaviourOf(LATEST_MINOR);
  const version = textOrEmpty(line['formatVersion']);
  const validator = compileValidator(schema, {
    ...behaviour,
    formatMinor: version === '' ? behaviour.formatMinor : minorNumber(version as typeof LATEST_MINOR),
    forDefaults: line['schemaFromOpenAPI'] === true,
  });
  const path = recordedPath(line['path']);
  const value = line['value'] ?? null;
  const structural = recordedStructural(line['schema'], 'value');
  const ratchets = line['ratcheting'] === true && structural !== undefined && line['oldValue'] !== undefined;
  const correlation = ratchets ? new Correlation(value, line['oldValue'] as JsonValue, structural) : undefined;
  return compareErrors(
    line['errors'],
    validator.validate(value, { base: path && pathText(path), correlation, polls: new Polls(undefined) }),
  );
};

/** Keywords of JSON Schema that a definition cannot have, or that have another meaning in a definition. */
const FOREIGN: readonly string[] = ['$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions', '$schema', 'id'];

function isForeign(schema: JsonValue | undefined): boolean {
  if (Array.isArray(schema)) return schema.some(isForeign);
  if (!isJsonObject(schema)) return false;
  if (schema['uniqueItems'] === true || Array.isArray(schema['type']) || Array.isArray(schema['items'])) return true;
  return FOREIGN.some((keyword) => keyword in schema) || Object.values(schema).some(isForeign);
}

/**
 * Compares Assay's results with lines of the table `openapi-schema`: the errors of kube-openapi's validator, in the wording of this
 * validator.
 */
export const judgeOpenApiSchema: UpstreamJudge = (line) => {
  if (isForeign(line['schema'])) return skip('keywords that no definition can have');
  const schema = recordedSchema(line['schema']);
  if (schema === undefined) return skip('the schema cannot be decoded');
  const walk = new SchemaWalk(new Polls(undefined));
  const path = textOrEmpty(line['path']);
  if (path !== '') walk.path.push(path);
  // With `forDefaults`, formats apply to all types.
  compileNode(schema, { ...behaviourOf(LATEST_MINOR), forDefaults: true })(line['value'] ?? null, walk);
  const messages = objectsOf(line['errors']).map((error) => textOrEmpty(error['message']));
  if (messages.some((message) => message.includes('strconv.'))) return skip('a number as Go text, which JSON is never read into');
  if (messages.some((message) => message.includes('map[')))
    return skip('a sentence about enums, which a field error says in its own words');
  return compareTexts(
    'errors',
    messages,
    walk.findings.map((finding) => finding.text),
  );
};
