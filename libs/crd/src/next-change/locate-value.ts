import { isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** A step into a value: the name of a field or the key of a map, or the index of an item. */
export type Step = string | number;

/** The way to a value that a field path names. */
export interface Location {
  /** Steps up to the last value that exists. */
  readonly steps: readonly Step[];
  /** True if the whole path exists; false if the value is missing. */
  readonly whole: boolean;
}

/** Finds what the field path of an error names, such as `spec.rules[0].port` or `spec.labels[a.b/c]`. `<nil>` and the empty path are the object itself. */
export function locateValue(object: JsonObject, field: string): Location {
  const steps: Step[] = [];
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
  readonly step: Step;
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
  // Names may hold dots and brackets: the longest one that fits is meant.
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

/** Returns the value at a path. Every step of the path must exist in `value`: the function does not check it. */
export function valueAt(value: JsonValue, steps: readonly Step[]): JsonValue {
  return steps.reduce<JsonValue>((at, step) => (at as Record<Step, JsonValue>)[step] as JsonValue, value);
}

/** Returns a copy with one value replaced or added. The copy shares all other values with the original. */
export function withValue(value: JsonValue, [step, ...rest]: readonly Step[], other: JsonValue): JsonValue {
  if (step === undefined) return other;
  const inner = (value as Record<Step, JsonValue>)[step];
  const changed = rest.length === 0 ? other : withValue(inner as JsonValue, rest, other);
  if (Array.isArray(value)) return value.with(Number(step), changed);
  const copy = Object.assign(Object.create(null) as JsonObject, value);
  copy[String(step)] = changed;
  return copy;
}

/** Steps as a field path. */
export function pathText(steps: readonly Step[]): string {
  return steps.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : /[.[\]]/.test(step) ? `${text}[${step}]` : `${text}.${step}`;
  }, '');
}
