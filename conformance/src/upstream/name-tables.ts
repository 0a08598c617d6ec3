import { isJsonObject } from '#go';
import {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  checkPathSegmentName,
  checkPathSegmentPrefix,
  checkQualifiedName,
  LATEST_MINOR,
  LATEST_WORDING,
  minorNumber,
  readObjectMeta,
  stringFormat,
  validateAnnotations,
  validateFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateOwnerReferences,
} from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { FieldError } from '#kube';
import {
  checkDns1123SubdomainCaseless,
  checkDns1123SubdomainWithUnderscore,
  checkPrefixedLabelKey,
  checkWildcardDns1123Subdomain,
} from '../../../libs/kube/src/names.ts';
import { isDate, isDateTime } from '../../../libs/kube/src/formats/format.ts';
import type { NameCheck } from '../../../libs/kube/src/names.ts';
import { coerceMetadata } from '../../../libs/crd/src/object/write/typed-metadata.ts';
import type { UpstreamAnswer, UpstreamJudge } from '../upstream-answer.ts';
import { AGREE, differ, skip, textOrEmpty } from './compare-run.ts';
import { compareErrors, compareTexts, recordedPath, textsOf } from './recorded-errors.ts';

const NAME_CHECKS: Readonly<Record<string, NameCheck>> = {
  IsDNS1123Label: checkDns1123Label,
  IsDNS1123Subdomain: checkDns1123Subdomain,
  IsDNS1123SubdomainCaseless: checkDns1123SubdomainCaseless,
  IsDNS1123SubdomainWithUnderscore: checkDns1123SubdomainWithUnderscore,
  IsDNS1035Label: checkDns1035Label,
  IsWildcardDNS1123Subdomain: checkWildcardDns1123Subdomain,
  IsLabelKey: checkQualifiedName,
  IsQualifiedName: checkQualifiedName,
  IsPrefixedLabelKey: checkPrefixedLabelKey,
  IsLabelValue: checkLabelValue,
  IsPathSegmentName: checkPathSegmentName,
  IsPathSegmentPrefix: checkPathSegmentPrefix,
};

/** Compares Assay's results with lines of the table `names`: the errors of invalid names. */
export const judgeName: UpstreamJudge = (line) => {
  const check = NAME_CHECKS[textOrEmpty(line['function'])];
  const value = line['value'];
  if (check === undefined) return skip('names that no write of a custom resource is checked for');
  if (typeof value !== 'string') return skip('a text that is not UTF-8');
  const golden = textsOf(line['errors']);
  if (textOrEmpty(line['package']).endsWith('/validate/content') && golden.some((text) => text.endsWith(' bytes'))) {
    return skip('a text of declarative validation, which custom resources do not have');
  }
  return compareTexts('errors', golden, check(value));
};

/** Formats that upstream's tests register for testing only. */
const TEST_FORMATS: ReadonlySet<string> = new Set(['test', 'testformat', 'good', 'bad', 'tf1', 'tf2', 'tf3']);

const FORMAT_CHECKS: Readonly<Record<string, (text: string) => boolean>> = { isDate, isDateTime };

/** Compares Assay's results with lines of the table `formats`: the result of checking a text against a format. */
export const judgeFormat: UpstreamJudge = (line) => {
  const value = line['value'];
  const name = textOrEmpty(line['function']);
  if (typeof value !== 'string') return skip('a text that is not UTF-8');
  const boolean = (ours: boolean): UpstreamAnswer =>
    ours === line['valid'] ? AGREE : differ('valid', String(line['valid']), String(ours));
  if (name !== 'validates') {
    const check = FORMAT_CHECKS[name];
    return check === undefined ? skip('parsing, of which writes see only whether it works') : boolean(check(value));
  }
  const format = textOrEmpty(line['format']);
  if (TEST_FORMATS.has(format)) return skip('a format of the test itself');
  const check = stringFormat(format, minorNumber(LATEST_MINOR));
  if (check === undefined) return line['known'] === false ? AGREE : differ('known', 'true', 'false');
  return boolean(check(value));
};

const typed = (value: JsonValue | undefined): JsonObject | undefined => {
  const result = coerceMetadata(value ?? null, 'reject');
  return result.ok ? result.metadata : undefined;
};

/** Compares Assay's results with lines of the table `objectmeta`: the validation of metadata of new and changed objects. */
export const judgeObjectMeta: UpstreamJudge = (line) => {
  if (line['nameFunction'] === 'custom') return skip('names are checked by a function of the test');
  if (textOrEmpty(line['test']).includes('allDeclarativeEnforced=true')) return skip('no server enforces these rules');
  if (isJsonObject(line['oldMetadata']) && line['oldMetadata']['deletionTimestamp'] === null)
    return skip('a time of deletion that JSON cannot say');
  const name = textOrEmpty(line['function']);
  const path = recordedPath(line['path']);
  const meta = readObjectMeta(typed(line['metadata']) ?? {});
  const old = readObjectMeta(typed(line['oldMetadata']) ?? {});
  const rules = { namespaced: line['requiresNamespace'] === true, checkName: checkDns1123Subdomain, wording: LATEST_WORDING };
  switch (name) {
    case 'objectMeta':
      return compareErrors(line['errors'], validateObjectMeta(meta, rules, path));
    case 'objectMetaUpdate':
      return compareErrors(line['errors'], validateObjectMetaUpdate(meta, old, rules, path));
    case 'objectMetaDeclaratively':
      return line['operation'] === 0 || line['operation'] === 0n
        ? compareErrors(line['errors'], validateObjectMeta(meta, rules, path))
        : compareErrors(line['errors'], validateObjectMetaUpdate(meta, old, rules, path));
    default:
      return judgePart(name, line);
  }
};

function judgePart(name: string, line: JsonObject): UpstreamAnswer {
  const path = recordedPath(line['path']);
  const one = (field: string, value: JsonValue): ReturnType<typeof readObjectMeta> => {
    const metadata: JsonObject = {};
    metadata[field] = value;
    return readObjectMeta(isJsonObject(value) || Array.isArray(value) ? metadata : {});
  };
  if (path === undefined) return skip('no path');
  const errors: FieldError[] = [];
  switch (name) {
    case 'annotations':
      validateAnnotations(one(name, line[name] ?? null).annotations, path, errors);
      break;
    case 'finalizers':
      validateFinalizers(one(name, line[name] ?? null).finalizers, path, errors);
      break;
    case 'ownerReferences':
      validateOwnerReferences(one(name, line[name] ?? null).ownerReferences, path, errors);
      break;
    default:
      return skip('part of another function');
  }
  return compareErrors(line['errors'], errors);
}
