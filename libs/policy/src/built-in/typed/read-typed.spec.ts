import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cancelled, isJsonObject, readJson, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { isMinor } from '#kube';
import type { Minor } from '#kube';
import { setDefaults } from '../defaults/set-defaults.ts';
import { builtInKinds } from '../table/built-in-kind.ts';
import { readTyped } from './read-typed.ts';

interface Recorded {
  readonly minor: Minor;
  readonly object: JsonObject;
  readonly duplicates: readonly string[];
  readonly answer: JsonObject;
}

function read(line: string): Recorded {
  const reading = readJson(line);
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error(`not recorded: ${line}`);
  const { minor, object, answer } = reading.value;
  if (typeof minor !== 'string' || !isMinor(minor) || !isJsonObject(object) || !isJsonObject(answer))
    throw new Error(`not recorded: ${line}`);
  return { minor, object, answer, duplicates: reading.duplicates.map((path) => path.replace(/^object\./, '')) };
}

/** Returns the answer for a recorded object that Assay expects from the Go program. */
function answer({ minor, object, duplicates }: Recorded): JsonValue {
  const kind = builtInKinds(minor).kind(String(object['apiVersion']), String(object['kind']));
  if (kind === undefined) throw new Error('no built-in kind');
  const reading = readTyped(object, kind, minor, { duplicates });
  if (!reading.ok) return { error: reading.error };
  const strict = reading.strictErrors.join(', ');
  return strict === '' ? { seen: reading.object } : { seen: reading.object, strict: `strict decoding error: ${strict}` };
}

describe('readTyped', () => {
  const lines = readFileSync(join(import.meta.dirname, 'recorded.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const cases = lines.map((line, index) => ({ at: index + 1, recorded: read(line) }));
  it.each(cases)('gives the recorded answer on line $at of recorded.jsonl: $recorded.minor, $recorded.object.kind', ({ recorded }) => {
    expect(writeJson(answer(recorded))).toBe(writeJson(recorded.answer));
  });

  it('reports at most 100 strict errors', () => {
    const object: JsonObject = { apiVersion: 'v1', kind: 'Pod' };
    for (let i = 0; i < 150; i++) object[`x${i}`] = 1;
    const kind = builtInKinds('1.37').kind('v1', 'Pod');
    const reading = kind && readTyped(object, kind, '1.37');
    expect(reading?.ok === true && reading.strictErrors.length).toBe(100);
  });

  it('stops when it is cancelled', () => {
    const kind = builtInKinds('1.37').kind('v1', 'Pod');
    const object: JsonObject = { spec: { containers: Array.from({ length: 200 }, () => ({ name: 'c' })) } };
    if (kind === undefined) throw new Error('no pods');
    expect(() => readTyped(object, kind, '1.37', { token: { cancelled: true } })).toThrow(Cancelled);
    expect(() => setDefaults(object, kind, '1.37', { cancelled: true })).toThrow(Cancelled);
  });
});
