import { describe, expect, it } from 'vitest';
import { LATEST_MINOR } from '#kube';
import { CancellationFlag, isJsonObject, readJson, writeJson } from '#go';
import type { JsonValue } from '#go';
import { readSlice } from '#documents';
import { wrongVerdicts, YAML_STREAMS } from '../../../../testing/yaml-streams.ts';
import { cutDocuments } from './cut-documents.ts';
import { readItem } from './read-item.ts';

const UNLIMITED = { definitions: Infinity, objects: Infinity };
const token = new CancellationFlag();

/** Returns an object with sorted keys, as Go writes it. */
const sorted = (value: JsonValue): JsonValue =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, sorted(value[key] as JsonValue)]),
      )
    : value;

describe('the documents of a stream, in each encoding, with each line end and separator', () => {
  it.each(YAML_STREAMS)('are found: $name', (stream) => {
    const { definitions, policies, objects, status } = cutDocuments(stream.bytes, 'yaml', UNLIMITED, token);
    expect([definitions, policies, status]).toEqual([[], [], undefined]);
    const readings = objects.map((slice) => ({ item: readItem(slice, LATEST_MINOR, token), reading: readSlice(slice, token) }));
    const values = readings.slice(0, stream.go.length).map(({ reading }) => reading.ok && writeJson(sorted(reading.value)));
    expect(values).toEqual(
      stream.go.map((json) => {
        const reading = readJson(json);
        return reading.ok && writeJson(reading.value);
      }),
    );
    const verdicts = readings.map(({ item, reading }) => {
      if (!item.ok) return { outcome: item.outcome, status: item.status };
      const isGood = reading.ok && isJsonObject(reading.value) && reading.value['kind'] === 'Widget' && Number(reading.value['size']) === 1;
      return { outcome: isGood ? 'accepted' : 'rejected' };
    });
    expect(wrongVerdicts(stream, verdicts)).toBeUndefined();
  });

  it('come with their positions in the stream', () => {
    for (const { name, bytes } of YAML_STREAMS) {
      for (const { origin } of cutDocuments(bytes, 'yaml', UNLIMITED, token).objects) {
        expect(origin.start, name).toBeLessThan(origin.end);
        expect(origin.end, name).toBeLessThanOrEqual(bytes.length);
      }
    }
  });
});
