import { isJsonObject, readJson } from '#go';
import type { JsonObject } from '#go';
import { memberText, readSpelledCase } from './spelled-case.ts';

/** A line of a recorded file: a case with what the oracle said of it. */
export interface RecordedCase {
  /** The minor of the oracle; undefined where the name of the file tells it. */
  readonly minor: string | undefined;
  /** The case, with its body as the line spells it. */
  readonly test: JsonObject;
  readonly verdict: JsonObject;
  /** Fields of the verdict that Go's random map order leaves to chance. */
  readonly unstable: readonly string[];
}

/** Reads `{minor?, case, verdict, unstable?}`; undefined for a line that is none. */
export function readRecordedCase(line: string): RecordedCase | undefined {
  const reading = readJson(line);
  if (!reading.ok || !isJsonObject(reading.value)) return undefined;
  const { minor, verdict, unstable } = reading.value;
  const test = readSpelledCase(memberText(line, 'case') ?? '');
  if (test === undefined || !isJsonObject(verdict)) return undefined;
  return {
    minor: typeof minor === 'string' ? minor : undefined,
    test,
    verdict,
    unstable: Array.isArray(unstable) ? unstable.map(String) : [],
  };
}
