import { isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** Step into a value: a field name, a map key, or the index of an item. */
export type ValueStep = string | number;

/** Location of the value that a field path refers to. */
export interface ValueLocation {
  /** Steps to the last value on the path that exists. */
  readonly steps: readonly ValueStep[];
  /** True if the whole path exists; false if the value is missing. */
  readonly whole: boolean;
}

/**
 * Finds the value that the field path of an error refers to, such as `spec.rules[0].port` or `spec.labels[a.b/c]`. `<nil>` and the empty
 * path refer to the whole object.
 */
export function locateValue(object: JsonObject, field: string): ValueLocation {
  const steps: ValueStep[] = [];
  let value: JsonValue = object;
  let rest = field === '<nil>' ? '' : field;
  while (rest !== '') {
    const next = nextStep(value, rest, steps.length === 0);
    if (next === undefined) return { steps, whole: false };
    steps.push(next.step);
    value = next.value;
    rest = next.rest;
  }
  return { steps, whole: true };
}

interface NextStep {
  readonly step: ValueStep;
  readonly value: JsonValue;
  readonly rest: string;
}

function nextStep(value: JsonValue, path: string, first: boolean): NextStep | undefined {
  if (Array.isArray(value)) {
    const index = /^\[(\d+)\]/.exec(path);
    const item = index === null ? undefined : value[Number(index[1])];
    return index === null || item === undefined ? undefined : { step: Number(index[1]), value: item, rest: path.slice(index[0].length) };
  }
  if (!isJsonObject(value)) return undefined;
  // Names may contain dots and brackets, so the longest matching name counts.
  let found: NextStep | undefined;
  for (const [key, child] of Object.entries(value)) {
    for (const spelt of [`[${key}]`, first ? key : `.${key}`]) {
      const rest = path.startsWith(spelt) ? path.slice(spelt.length) : undefined;
      const fits = rest !== undefined && (rest === '' || rest.startsWith('.') || rest.startsWith('['));
      if (fits && (found === undefined || rest.length < found.rest.length)) found = { step: key, value: child, rest };
    }
  }
  return found;
}

/** Returns the value at a path. All steps must exist in `value`, because the function does not check them. */
export function valueAt(value: JsonValue, steps: readonly ValueStep[]): JsonValue {
  return steps.reduce<JsonValue>((at, step) => (at as Record<ValueStep, JsonValue>)[step] as JsonValue, value);
}

/**
 * Returns a copy of `value` in which the value at a path of steps is replaced or added. The copy shares all other values with the original.
 */
export function withValue(value: JsonValue, [step, ...rest]: readonly ValueStep[], other: JsonValue): JsonValue {
  if (step === undefined) return other;
  const inner = (value as Record<ValueStep, JsonValue>)[step];
  const changed = rest.length === 0 ? other : withValue(inner as JsonValue, rest, other);
  if (Array.isArray(value)) return value.with(Number(step), changed);
  const copy = Object.assign(Object.create(null) as JsonObject, value);
  copy[String(step)] = changed;
  return copy;
}

/** Returns the field path that the steps form. A step is a field name, a map key, or the index of an item. */
export function stepsText(steps: readonly ValueStep[]): string {
  return steps.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : /[.[\]]/.test(step) ? `${text}[${step}]` : `${text}.${step}`;
  }, '');
}
