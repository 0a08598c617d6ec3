import { checkDns1035Label, childPath, indexPath, invalid } from '#kube';
import type { FieldError, FieldPath } from '#kube';
import type { DefinitionNames } from '../../schema/definition.ts';

/**
 * Validates the format of all names that are present. Missing names are reported elsewhere. Source: validation.go
 * `ValidateCustomResourceDefinitionNames` (1.37).
 */
export function validateNames(names: DefinitionNames, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['plural', 'singular'] as const) {
    const texts = names[field] === '' ? [] : checkDns1035Label(names[field]);
    if (texts.length > 0) errors.push(invalid(childPath(path, field), names[field], texts.join(',')));
  }
  for (const field of ['kind', 'listKind'] as const) {
    const texts = names[field] === '' ? [] : checkDns1035Label(names[field].toLowerCase());
    if (texts.length === 0) continue;
    errors.push(invalid(childPath(path, field), names[field], `may have mixed case, but should otherwise match: ${texts.join(',')}`));
  }
  const each = (field: 'shortNames' | 'categories'): void =>
    names[field].forEach((name, i) => {
      const texts = checkDns1035Label(name);
      if (texts.length > 0) errors.push(invalid(indexPath(childPath(path, field), i), name, texts.join(',')));
    });
  each('shortNames');
  if (names.kind !== '' && names.kind === names.listKind) {
    errors.push(invalid(childPath(path, 'listKind'), names.listKind, 'kind and listKind may not be the same'));
  }
  each('categories');
  return errors;
}
