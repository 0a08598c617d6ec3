import { isPrintable, utf8Length } from '#go';
import { childPath, duplicate, gateChange, indexPath, invalid, pathText, reportedBecauseOf, required, tooMany, tooManyWords } from '#kube';
import type { FieldError, FieldPath } from '#kube';
import { resolveFieldPath } from '../../rules/resolve-field-path.ts';
import type { PrinterColumn, Subresources } from '../../schema/definition.ts';
import type { Structural } from '../../structural/structural.ts';
import { CRD_CHANGES } from '../../minors/minors.ts';
import { MAX_SELECTABLE_FIELDS } from './options.ts';
import type { AdmissionOptions } from './options.ts';

const WARNING_LENGTH = 256;
const COLUMN_TYPES: readonly string[] = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS: readonly string[] = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/**
 * Validates the `deprecationWarning` of a version. Returns the error texts; empty if it is valid or absent. Source: validation.go
 * `validateDeprecationWarning` (1.37).
 */
export function deprecationWarningTexts(deprecated: boolean, warning: string | undefined): string[] {
  if (warning === undefined) return [];
  if (!deprecated) return ['can only be set for deprecated versions'];
  const texts: string[] = [];
  if (utf8Length(warning) > WARNING_LENGTH) texts.push('must be <= 256 characters long');
  if (warning === '') texts.push('must not be an empty string');
  let index = 0;
  for (const rune of warning) {
    if (!isPrintable(rune)) {
      texts.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
      break;
    }
    index += utf8Length(rune);
  }
  return texts;
}

/** Returns an error unless the path starts with a dot, such as `.spec.a`. */
function jsonPathError(path: string, at: FieldPath): FieldError | undefined {
  return path.startsWith('.') ? undefined : invalid(at, path, 'must be a simple json path starting with .');
}

/** Validates a printer column. Source: validation.go `ValidateCustomResourceColumnDefinition` (1.37). */
export function validatePrinterColumn(column: PrinterColumn, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (column.name === '') errors.push(required(childPath(path, 'name'), ''));
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (column.type === '') errors.push(required(childPath(path, 'type'), types));
  else if (!COLUMN_TYPES.includes(column.type)) errors.push(invalid(childPath(path, 'type'), column.type, types));
  if (column.format !== '' && !COLUMN_FORMATS.includes(column.format)) {
    errors.push(invalid(childPath(path, 'format'), column.format, `must be one of ${COLUMN_FORMATS.join(',')}`));
  }
  const at = childPath(path, 'JSONPath');
  const wrong = column.jsonPath === '' ? required(at, '') : jsonPathError(column.jsonPath, at);
  if (wrong !== undefined) errors.push(wrong);
  return errors;
}

/** Validates the subresources of a version. Source: validation.go `ValidateCustomResourceDefinitionSubresources` (1.37). */
export function validateSubresources(subresources: Subresources | undefined, path: FieldPath): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const errors: FieldError[] = [];
  const check = (field: string, value: string, under: readonly string[], detail: string): void => {
    const at = childPath(path, `scale.${field}`);
    const wrong = jsonPathError(value, at);
    if (wrong !== undefined) errors.push(wrong);
    else if (!under.some((prefix) => value.startsWith(prefix))) errors.push(invalid(at, value, detail));
  };
  if (scale.specReplicasPath === '') errors.push(required(childPath(path, 'scale.specReplicasPath'), ''));
  else check('specReplicasPath', scale.specReplicasPath, ['.spec.'], 'should be a json path under .spec');
  if (scale.statusReplicasPath === '') errors.push(required(childPath(path, 'scale.statusReplicasPath'), ''));
  else check('statusReplicasPath', scale.statusReplicasPath, ['.status.'], 'should be a json path under .status');
  if (scale.labelSelectorPath !== undefined && scale.labelSelectorPath !== '') {
    check('labelSelectorPath', scale.labelSelectorPath, ['.spec.', '.status.'], 'should be a json path under either .spec or .status');
  }
  return errors;
}

/** The feature gate without which a server drops selectable fields. */
export const SELECTABLE_FIELDS = gateChange('CustomResourceFieldSelectors');
const SELECTABLE_TYPES: readonly string[] = ['string', 'boolean', 'integer'];

/**
 * Validates selectable fields. Source: validation.go `ValidateCustomResourceSelectableFields` (1.37).
 *
 * @param version Name of the version that has the fields; empty for the fields that all versions share.
 */
export function validateSelectableFields(
  fields: readonly string[],
  schema: Structural,
  path: FieldPath,
  options: AdmissionOptions,
  version: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const known = new Set<string>();
  fields.forEach((field, i) => {
    const at = childPath(indexPath(path, i), 'jsonPath');
    if (field === '') {
      errors.push(required(at, ''));
      return;
    }
    const found = resolveFieldPath(field, schema, 'dots');
    if (!found.ok) {
      errors.push(invalid(at, field, `is an invalid path: ${found.error}`));
      return;
    }
    const text = pathText(found.path);
    if (/^metadata(?:[.[]|$)/.test(text)) errors.push(invalid(at, field, 'must not point to fields in metadata'));
    if (!SELECTABLE_TYPES.includes(found.schema.type)) {
      const detail = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(invalid(at, field, detail));
    }
    if (known.has(text)) errors.push(duplicate(at, field));
    known.add(text);
  });
  const isKept = options.tooManySelectableFields.has(version);
  if (known.size > MAX_SELECTABLE_FIELDS && !(isKept && options.keepsSelectableFields)) {
    const error = tooMany(path, known.size, MAX_SELECTABLE_FIELDS, tooManyWords(options.minor));
    errors.push(isKept ? reportedBecauseOf(error, CRD_CHANGES.selectableFieldsRatchet) : error);
  }
  return errors.map((error) => reportedBecauseOf(error, SELECTABLE_FIELDS));
}
