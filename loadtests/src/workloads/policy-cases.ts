import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isJsonObject, readJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { CORPORA } from './object-cases.ts';

/** An admission request that somebody made against policies of theirs, as the corpus has it. */
export interface PolicyCase {
  readonly policies: readonly JsonValue[];
  readonly bindings: readonly JsonValue[];
  /** The whole case: the request and what surrounds it. */
  readonly document: JsonObject;
}

const FILE = join(CORPORA, '../corpora-policies/cases.jsonl.gz');

/** The real requests against ValidatingAdmissionPolicies; none where the corpus is not here. */
export function policyCases(): readonly PolicyCase[] {
  if (!existsSync(FILE)) return [];
  const lines = gunzipSync(readFileSync(FILE)).toString().split('\n');
  return lines.flatMap((line) => {
    const reading = line.includes('"kind":"admit"') ? readJson(line) : undefined;
    if (reading?.ok !== true || !isJsonObject(reading.value)) return [];
    return [{ policies: listOf(reading.value['policies']), bindings: listOf(reading.value['bindings']), document: reading.value }];
  });
}

/** A list of a document; absent: empty. */
export const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
