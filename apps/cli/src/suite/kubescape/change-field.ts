import { isJsonObject, newJsonObject, readJson } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** Longest list that a change may make by naming an element behind its end. */
const MAX_ELEMENTS = 10_000;

/**
 * Changes a field of an object, written as `spec.containers.[0].image=nginx`: what is missing on the way is made, the value is JSON where it can be read as
 * JSON, else text. Returns what is wrong with a change that cannot be made.
 * Source: kubescape/cel-admission-library scripts/change-yaml-field.py (fc2fb67).
 */
export function changeField(object: JsonObject, change: string): string | undefined {
  const [path = '', value, ...more] = change.split('=');
  if (value === undefined || more.length > 0) return `${JSON.stringify(change)} is not FIELD=VALUE`;
  const steps = path.split('.');
  let holder: JsonValue = object;
  for (const [i, step] of steps.entries()) {
    const index = /^\[(\d+)\]$/.exec(step)?.[1];
    const isLast = i === steps.length - 1;
    const reading = isLast ? readJson(value) : undefined;
    const written = reading?.ok === true ? reading.value : value;
    const missing = (): JsonValue => (isLast ? written : (steps[i + 1] ?? '').startsWith('[') ? [] : newJsonObject());
    if (index !== undefined) {
      if (!Array.isArray(holder)) return `${change}: ${step} names an element, but there is no list`;
      const at = Number(index);
      if (at >= MAX_ELEMENTS) return `${change}: lists have at most ${MAX_ELEMENTS} elements here`;
      while (holder.length <= at) holder.push(null);
      const held: JsonValue | undefined = holder[at];
      const next: JsonValue = isLast || held === null || held === undefined ? missing() : held;
      holder[at] = next;
      holder = next;
    } else {
      if (!/^[a-zA-Z]/.test(step)) return `${change}: ${JSON.stringify(step)} is no name of a field`;
      if (!isJsonObject(holder)) return `${change}: ${step} names a field, but there is no object`;
      const held: JsonValue | undefined = holder[step];
      const next: JsonValue = isLast || held === null || held === undefined ? missing() : held;
      holder[step] = next;
      holder = next;
    }
  }
  return undefined;
}
