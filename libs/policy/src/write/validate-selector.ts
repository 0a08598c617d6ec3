import { checkLabelValue, checkQualifiedName, childPath, forbidden, indexPath, invalid, required } from '#kube';
import { wordValue } from './shown-value.ts';
import type { FieldError, FieldPath, Minor } from '#kube';
import type { LabelSelector } from '../read/label-selector.ts';

/**
 * Validates a label selector in a policy or binding that a client creates or updates. Source:
 * k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go `ValidateLabelSelector` (1.37).
 */
export function validateSelector({ matchLabels, matchExpressions }: LabelSelector, path: FieldPath, minor: Minor): FieldError[] {
  const errors: FieldError[] = [];
  const labels = childPath(path, 'matchLabels');
  for (const [key, value] of matchLabels) {
    errors.push(...checkQualifiedName(key).map((problem) => invalid(labels, key, problem)));
    errors.push(...checkLabelValue(value).map((problem) => invalid(labels, value, problem)));
  }
  for (const [i, { key, operator, values }] of matchExpressions.entries()) {
    const at = indexPath(childPath(path, 'matchExpressions'), i);
    const listed = childPath(at, 'values');
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) errors.push(required(listed, "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) errors.push(forbidden(listed, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    } else errors.push(invalid(childPath(at, 'operator'), wordValue(operator, minor), 'not a valid selector operator'));
    errors.push(...checkQualifiedName(key).map((problem) => invalid(childPath(at, 'key'), key, problem)));
    for (const [j, value] of values.entries())
      errors.push(...checkLabelValue(value).map((problem) => invalid(indexPath(listed, j), value, problem)));
  }
  return errors;
}
