import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileExpression, declareType, EMPTY_SCHEMA, environmentFor } from '../../libs/cel/src/index.ts';
import { judgeDefinition, RecentDefinitions } from '../../libs/crd/src/index.ts';
import { isJsonObject, readYaml } from '../../libs/go/src/index.ts';
import type { JsonObject } from '../../libs/go/src/index.ts';
import { LATEST_MINOR, MINORS } from '../../libs/kube/src/index.ts';
import type { Minor } from '../../libs/kube/src/index.ts';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { sampled } from '../../testing/thorough.ts';
import { SHARED } from '../src/shared-folder.ts';

const FOLDER = join(SHARED, 'corpora', 'crds');
const EVERY = existsSync(FOLDER) ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => /\.ya?ml$/.test(file)) : [];
/** Files of definitions whose verdicts are computed: all files in a thorough test run, and every 30th file in any other. */
const FILES = sampled(EVERY.toSorted(), 30);

/** Reads a definition anew from its file, so that no cache recognises any part of it. */
function documentOf(file: string): JsonObject | undefined {
  const reading = readYaml(readFileSync(join(FOLDER, file)));
  return reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
}

/**
 * Evicts all cached type shapes by compiling a rule for a value with more shapes than the cache can hold. Later rules are checked and
 * estimated again.
 */
function forgetShapes(): void {
  const fields = Array.from({ length: 2_100 }, (_, i) => [`f${i}`, { ...EMPTY_SCHEMA, type: 'string', maxLength: 100_000 + i }] as const);
  const self = declareType({ ...EMPTY_SCHEMA, type: 'object', properties: new Map(fields) }, 'value', LATEST_MINOR);
  if (self === undefined) throw new Error('the crowd has no type');
  compileExpression('self.f1 == ""', { self, oldSelf: 'plain', environment: environmentFor(LATEST_MINOR, 'new'), expect: 'bool' });
}

/**
 * Returns the whole verdict on a definition, including the stored form. If `recent` is undefined, the verdict is computed without any
 * cached results.
 */
function verdictOf(document: JsonObject, minor: Minor, recent: RecentDefinitions | undefined): unknown {
  if (recent === undefined) forgetShapes();
  const { stored, ...verdict } = judgeDefinition(document, undefined, {
    minor,
    ...(recent === undefined ? { known: { schemas: new WeakMap() } } : { recent }),
  });
  return { ...verdict, stored };
}

/**
 * Computes the verdict on each definition of the corpora for all minor versions in turn. Sharing equal schemas and environments between
 * minor versions must not change any verdict, error, warning, cost or stored form.
 */
describe.runIf(FILES.length > 0)('definitions that are validated for several versions at once', () => {
  it.each(FILES)('get the same verdicts as for each version alone: %s', (file) => {
    const document = documentOf(file);
    if (document === undefined) return;
    const recent = new RecentDefinitions();
    for (const minor of MINORS) {
      const alone = documentOf(file);
      if (alone === undefined) throw new Error('the file changed');
      const [shared, apart] = [verdictOf(document, minor, recent), verdictOf(alone, minor, undefined)];
      // A report of the difference takes long, so it is created only if there is one.
      if (!isDeepStrictEqual(shared, apart)) expect(shared, minor).toEqual(apart);
    }
  });
});
