import { aggregateText, checkLabelValue, checkQualifiedName, invalid } from '#kube';
import type { FieldError } from '#kube';
import { Fields } from './fields.ts';

/** Label selector (metav1.LabelSelector). */
export interface LabelSelector {
  readonly matchLabels: ReadonlyMap<string, string>;
  readonly matchExpressions: readonly LabelExpression[];
}

interface LabelExpression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Reads a label selector. An empty selector matches all objects. */
export function readLabelSelector(fields: Fields): LabelSelector {
  return {
    matchLabels: fields.textMap('matchLabels'),
    matchExpressions: fields.list('matchExpressions', (value, path) => {
      const expression = new Fields(value, path);
      return { key: expression.text('key'), operator: expression.text('operator'), values: expression.texts('values') };
    }),
  };
}

/** Labels of an object, by key. */
export type Labels = ReadonlyMap<string, string>;

/** Compiled label selector, or the error if the selector is invalid. */
export type CompiledSelector =
  | { readonly ok: true; readonly selectsAll: boolean; readonly matches: (labels: Labels) => boolean }
  | { readonly ok: false; readonly error: string };

type Test = (labels: Labels) => boolean;

/**
 * Checks a label selector and compiles it to a predicate. Source: k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go `LabelSelectorAsSelector`
 * (1.37).
 */
export function compileSelector({ matchLabels, matchExpressions }: LabelSelector): CompiledSelector {
  const tests: Test[] = [];
  const requirements: LabelExpression[] = [
    ...[...matchLabels].map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...matchExpressions,
  ];
  for (const requirement of requirements) {
    const test = TESTS[requirement.operator];
    if (test === undefined) return { ok: false, error: `"${requirement.operator}" is not a valid label selector operator` };
    const error = requirementError(requirement);
    if (error !== undefined) return { ok: false, error };
    tests.push(test(requirement));
  }
  return { ok: true, selectsAll: tests.length === 0, matches: (labels) => tests.every((test) => test(labels)) };
}

const TESTS: Readonly<Record<string, (requirement: LabelExpression) => Test>> = {
  In:
    ({ key, values }) =>
    (labels) =>
      labels.has(key) && values.includes(labels.get(key) as string),
  NotIn:
    ({ key, values }) =>
    (labels) =>
      !labels.has(key) || !values.includes(labels.get(key) as string),
  Exists:
    ({ key }) =>
    (labels) =>
      labels.has(key),
  DoesNotExist:
    ({ key }) =>
    (labels) =>
      !labels.has(key),
};

/**
 * Returns the error of one requirement of a label selector, or undefined if it is valid. Source: k8s.io/apimachinery/pkg/labels/selector.go
 * `NewRequirement` (1.37).
 */
function requirementError({ key, operator, values }: LabelExpression): string | undefined {
  const errors: FieldError[] = [];
  const keyProblems = checkQualifiedName(key);
  if (keyProblems.length > 0) errors.push(invalid('key', key, keyProblems.join('; ')));
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues && values.length === 0) errors.push(invalid('values', [], "for 'in', 'notin' operators, values set can't be empty"));
  if (!takesValues && values.length > 0)
    errors.push(invalid('values', [...values], 'values set must be empty for exists and does not exist'));
  for (const [i, value] of values.entries()) {
    const problems = checkLabelValue(value);
    if (problems.length > 0) errors.push(invalid(`values[${i}][${key}]`, value, problems.join('; ')));
  }
  return errors.length === 0 ? undefined : aggregateText(errors);
}
