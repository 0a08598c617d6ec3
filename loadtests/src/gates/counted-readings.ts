import { compileStoredDefinition, validateObject } from '#crd';
import type { Linker } from '#cel';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { isOfReader, UNLIMITED } from '../workloads/judging.ts';
import { readingCases } from './reading-cases.ts';
import type { ReadingCase } from './reading-cases.ts';

/**
 * Counts for the objects of a case: objects validated by generated readers and by the exact validation, and the size of the generated code.
 * The counts do not depend on the machine.
 */
export interface CountedReading {
  readonly name: string;
  readonly expected: ReadingCase['expected'];
  readonly objects: number;
  readonly bytes: number;
  /** Number of objects that a generated reader validated. The exact validation handled all other objects. */
  readonly readObjects: number;
  readonly readBytes: number;
  /** Number of generated readers; `functions` and `characters` count the functions and source characters of all readers together. */
  readonly readers: number;
  readonly functions: number;
  readonly characters: number;
}

/** Pattern that distinguishes the source of a reader from that of a rule. All functions of a reader use one cursor. */
const READER = /^const s = r\.cursor;$/m;
const FUNCTION = /^function /gm;

/** Validates the objects of every case once and returns the counts. */
export function countReadings(cases: readonly ReadingCase[] = readingCases()): CountedReading[] {
  return cases.map(countReading);
}

function countReading({ name, definition, bodies, engine, expected }: ReadingCase): CountedReading {
  const readers: string[] = [];
  const chosen = nodeEngine(engine);
  if (typeof chosen === 'string') throw new Error(`the engine ${engine} generates nothing`);
  const link: Linker = (parameter, body) => {
    if (READER.test(body)) readers.push(body);
    return chosen.link(parameter, body);
  };
  const compiled = compileStoredDefinition(definition, { minor: LATEST_MINOR, engine: { ...chosen, link } });
  if (!compiled.ok) throw new Error(`${name}: ${compiled.status.message}`);
  const read = bodies.filter((body) => {
    const verdict = validateObject(
      compiled.definition,
      { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn', version: versionOf(body) },
      { timings: true, costLimit: UNLIMITED, budget: UNLIMITED },
    );
    return isOfReader(verdict);
  });
  const sizeOf = (some: readonly Uint8Array[]): number => some.reduce((sum, { length }) => sum + length, 0);
  return {
    name,
    expected,
    objects: bodies.length,
    bytes: sizeOf(bodies),
    readObjects: read.length,
    readBytes: sizeOf(read),
    readers: readers.length,
    functions: readers.reduce((sum, source) => sum + (source.match(FUNCTION)?.length ?? 0), 0),
    characters: readers.reduce((sum, { length }) => sum + length, 0),
  };
}

/** Returns the version in an object's apiVersion. */
function versionOf(body: Uint8Array): string {
  const { apiVersion } = JSON.parse(Buffer.from(body).toString()) as { apiVersion: string };
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}
