import { describe, expect, it } from 'vitest';
import { baselineOf } from './baselines.ts';
import { countReadings } from './counted-readings.ts';
import { readingCases } from './reading-cases.ts';

/** Factor by which generated code may grow before a test requires a new baseline. */
const GROWTH = 1.25;

const counted = countReadings();
const baseline = new Map(baselineOf('readings').map((reading) => [reading.name, reading]));

describe('objects that generated readers accept', () => {
  it('are counted for the cases of the baseline; `npm run loadtest -- baselines` records a new one', () => {
    const inputs = (readings: typeof counted) => readings.map(({ name, objects, bytes }) => ({ name, objects, bytes }));
    expect(inputs(counted)).toEqual(inputs([...baseline.values()]));
  });

  it.each(counted)('$name: are at least as many as in the baseline, with at most a quarter more code', (reading) => {
    const { name, expected, objects, readObjects, readBytes } = reading;
    const before = baseline.get(name);
    if (before === undefined) throw new Error('the baseline has no such case');
    expect(readObjects).toBeGreaterThanOrEqual(before.readObjects);
    expect(readBytes).toBeGreaterThanOrEqual(before.readBytes);
    if (expected !== 'as counted') expect(readObjects).toBe(expected === 'all read' ? objects : 0);
    if (readObjects > 0) expect(reading.readers).toBeGreaterThan(0);
    for (const figure of ['readers', 'functions', 'characters'] as const)
      expect([figure, reading[figure] <= GROWTH * before[figure]]).toEqual([figure, true]);
  });

  it('are not counted for a schema that readers do not support', () => {
    const [route] = readingCases();
    if (!route) throw new Error('there are cases');
    const [without] = countReadings([{ ...route, definition: withoutReader(route.definition) }]);
    expect(without).toMatchObject({ objects: 1, readObjects: 0, readers: 0, functions: 0, characters: 0 });
  });
});

/** Returns a copy of a definition with a keyword at its root that generated readers do not support. */
function withoutReader<Document>(definition: Document): Document {
  const copy = structuredClone(definition) as { spec: { versions: { schema: { openAPIV3Schema: Record<string, unknown> } }[] } };
  for (const { schema } of copy.spec.versions) schema.openAPIV3Schema['nullable'] = true;
  return copy as Document;
}
