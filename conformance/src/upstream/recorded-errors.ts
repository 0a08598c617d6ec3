import { isJsonObject } from '#go';
import { childPath, fieldErrorText } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { FieldError, FieldPath } from '#kube';
import { canonicalText } from '../canonical-text.ts';
import type { VerdictValue } from '../canonical-text.ts';
import type { UpstreamAnswer } from '../upstream-answer.ts';
import { AGREE, differ, textOrEmpty } from './compare-run.ts';

/** Returns a recorded path: as text, which paths may begin with; undefined for none. */
export function recordedPath(value: JsonValue | undefined): FieldPath | undefined {
  const text = textOrEmpty(value);
  return text === '' || text === '<nil>' ? undefined : childPath(undefined, text);
}

/** Returns an array of objects in a line; empty when absent. */
export const objectsOf = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** Returns an array of texts in a line; empty when absent. */
export const textsOf = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/** Compares lists of texts whose order upstream does not define; a difference shows what only one side has. */
export function compareTexts(what: string, golden: readonly string[], ours: readonly string[]): UpstreamAnswer {
  const missing = [...golden];
  const extra = ours.filter((text) => {
    const index = missing.indexOf(text);
    if (index >= 0) missing.splice(index, 1);
    return index < 0;
  });
  if (missing.length === 0 && extra.length === 0) return AGREE;
  return differ(what, missing.join('\n'), extra.join('\n'), golden.length === 0 || ours.length === 0);
}

/** Root types have a random number in their names. */
const maskSelf = (text: string): string => text.replace(/selfType\d+/g, 'selfType');

/** Compares field errors as a multiset of type and text. */
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

/** Compares JSON values by meaning. */
export function compareJson(what: string, golden: VerdictValue, ours: VerdictValue): UpstreamAnswer {
  const [a, b] = [canonicalText(golden), canonicalText(ours)];
  return a === b ? AGREE : differ(what, a, b);
}

/** Returns the first answer that is no agreement; later comparisons are not made then. */
export function firstDifference(...answers: readonly (() => UpstreamAnswer)[]): UpstreamAnswer {
  for (const make of answers) {
    const answer = make();
    if (answer.kind !== 'agree') return answer;
  }
  return AGREE;
}
