import { isJsonObject, readJson } from '#go';
import type { JsonObject } from '#go';

/**
 * Key under which a case stores the original JSON text of its `object` or `crd`. The text is needed because decoders quote the input in
 * errors. Only the text distinguishes `1.0` from `1` and shows the order of the keys.
 */
const SPELLED = 'spelledBody';

/** Reads a case of the oracle's protocol from JSON text. Returns undefined if `text` is not a JSON object. */
export function readSpelledCase(text: string): JsonObject | undefined {
  const reading = readJson(text);
  if (!reading.ok || !isJsonObject(reading.value)) return undefined;
  const test = reading.value;
  if (test['raw'] !== undefined) return test;
  const isDefinition = typeof test['kind'] === 'string' && test['kind'].startsWith('crd');
  // Patches change the document, so the text of the case no longer applies.
  const body = isDefinition ? (test['crdPatches'] === undefined ? 'crd' : undefined) : 'object';
  const spelled = body === undefined ? undefined : memberText(text, body);
  if (spelled !== undefined) test[SPELLED] = spelled;
  return test;
}

/** Returns the body of a case in its original spelling. Returns undefined if the case was not read from a line or has no such body. */
export function spelledBody(test: JsonObject): string | undefined {
  const text = test[SPELLED];
  return typeof text === 'string' ? text : undefined;
}

/**
 * Returns the JSON text of the member `wanted` of the JSON object `text`, which must be valid JSON. If the key occurs more than once, the
 * last member is returned.
 */
export function memberText(text: string, wanted: string): string | undefined {
  let found: string | undefined;
  let at = afterSpace(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at);
    const start = afterSpace(text, afterSpace(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    if (JSON.parse(text.slice(at, keyEnd)) === wanted) found = text.slice(start, end);
    at = afterSpace(text, end);
    if (text[at] === ',') at = afterSpace(text, at + 1);
  }
  return found;
}

function afterSpace(text: string, at: number): number {
  while (' \t\r\n'.includes(text[at] ?? 'x')) at++;
  return at;
}

function endOfString(text: string, at: number): number {
  for (let i = at + 1; ; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"' || i >= text.length) return i + 1;
  }
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length;) {
    const character = text[i];
    if (character === '"') {
      i = endOfString(text, i);
      if (depth === 0) return i;
      continue;
    }
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      if (depth === 0) return i;
      if (--depth === 0) return i + 1;
    } else if (depth === 0 && (character === ',' || ' \t\r\n'.includes(character ?? ''))) return i;
    i++;
  }
  return text.length;
}
