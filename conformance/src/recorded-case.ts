import { isJsonObject, readJson } from '#go';
import type { JsonObject } from '#go';
import { memberText, readSpelledCase } from './spelled-case.ts';

/** A line of a recorded file: a case and the verdict of the oracle about it. */
export interface RecordedCase {
  /** Minor version of the oracle. Undefined if the file name contains the minor version instead. */
  readonly minor: string | undefined;
  /** JSON text of the recorded case. */
  readonly text: string;
  /** The recorded case, which includes the original JSON text of its body. */
  readonly test: JsonObject;
  readonly verdict: JsonObject;
  /**
   * Names of the verdict's fields that vary from run to run because Go iterates over maps in random order. These fields are not compared.
   */
  readonly unstable: readonly string[];
}

/** Reads a line of the form `{minor?, case, verdict, unstable?}`. Returns undefined if the line does not have this form. */
export function readRecordedCase(line: string): RecordedCase | undefined {
  const reading = readJson(line);
  if (!reading.ok || !isJsonObject(reading.value)) return undefined;
  const { minor, verdict, unstable } = reading.value;
  const text = memberText(line, 'case') ?? '';
  const test = readSpelledCase(text);
  if (test === undefined || !isJsonObject(verdict)) return undefined;
  return {
    minor: typeof minor === 'string' ? minor : undefined,
    text,
    test,
    verdict,
    unstable: Array.isArray(unstable) ? unstable.map(String) : [],
  };
}
