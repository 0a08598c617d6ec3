import { isJsonObject } from '#go';
import { childPath, fieldErrorText } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { FieldError, FieldPath } from '#kube';
import { canonicalText } from '../canonical-text.ts';
import type { VerdictValue } from '../canonical-text.ts';
import type { UpstreamAnswer } from '../upstream-answer.ts';
import { AGREE, differ, textOrEmpty } from './compare-run.ts';

/** Returns a recorded path as a field path whose first segment is the whole recorded text. Returns undefined if no path is recorded. */
export function recordedPath(value: JsonValue | undefined): FieldPath | undefined {
  const text = textOrEmpty(value);
  return text === '' || text === '<nil>' ? undefined : childPath(undefined, text);
}

/** Returns the objects in a recorded array. The result is empty if the array is absent. */
export const objectsOf = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** Returns the strings in a recorded array. The result is empty if the array is absent. */
export const textsOf = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/**
 * Compares two lists of texts regardless of their order, because upstream does not define the order. The reported difference contains the
 * texts that occur in only one list.
 */
export function compareTexts(what: string, golden: readonly string[], ours: readonly string[]): UpstreamAnswer {
  const missing = [...golden];
  const extra = ours.filter((text) => {
    const index = missing.indexOf(text);
    if (index >= 0) missing.splice(index, 1);
    return index < 0;
  });
  if (missing.length === 0 && extra.length === 0) return AGREE;
  return differ(what, missing.join('\n'), extra.join('\n'), { verdict: golden.length === 0 || ours.length === 0 });
}

/** Removes the random number from the names of root types, so that messages can be compared. */
const maskSelf = (text: string): string => text.replace(/selfType\d+/g, 'selfType');

/**
 * Compares field errors by type and text, regardless of their order. The beginning `strip` of a recorded text is left out of the
 * comparison.
 */
export function compareErrors(golden: JsonValue | undefined, ours: readonly FieldError[], strip = ''): UpstreamAnswer {
  const recorded = objectsOf(golden).map((error) => {
    const text = textOrEmpty(error['text']);
    return `${textOrEmpty(error['type'])} ${text.startsWith(strip) ? text.slice(strip.length) : text}`;
  });
  return compareTexts(
    'errors',
    recorded,
    ours.map((error) => `${error.type} ${maskSelf(fieldErrorText(error))}`),
  );
}

/** Compares two JSON values by their meaning instead of their spelling. */
export function compareJson(what: string, golden: VerdictValue, ours: VerdictValue): UpstreamAnswer {
  const [a, b] = [canonicalText(golden), canonicalText(ours)];
  return a === b ? AGREE : differ(what, a, b);
}

/** Runs the comparisons in order and returns the first result that is not an agreement. Later comparisons are not run. */
export function firstDifference(...answers: readonly (() => UpstreamAnswer)[]): UpstreamAnswer {
  for (const make of answers) {
    const answer = make();
    if (answer.kind !== 'agree') return answer;
  }
  return AGREE;
}
