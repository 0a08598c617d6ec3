import { validateObject } from '#crd';
import type { CompiledDefinition, ObjectVerdict, ObjectWrite, ValidationOptions } from '#crd';
import { isJsonObject, readJson, utf8Bytes, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { fieldErrorText } from '#kube';
import type { Dice } from '../random/dice.ts';
import { mutateObject } from '../random/mutate-object.ts';
import { cloneTree, Members, readTree } from '../random/tree.ts';
import { OddSpelling } from './odd-spelling.ts';

/** Compiled definition with a body: the text of one object of this definition, whose variants generated readers and the exact code read. */
export interface ReadingSource {
  readonly definition: CompiledDefinition;
  readonly version: string;
  readonly body: string;
  /** Text of the old object; undefined unless one was recorded or generated for an update. */
  readonly old: string | undefined;
}

/** Form in which a body is passed: JSON, equivalent YAML, or a value that was parsed before. */
export type BodyForm = 'json' | 'yaml' | 'value';

/** Body on which a generated reader and the exact code, which uses no generated reader, disagree, with both verdicts. */
export interface Contradiction {
  readonly body: string;
  /** Text of the object that the body replaces; undefined for a create. */
  readonly old: string | undefined;
  readonly form: BodyForm;
  readonly options: ValidationOptions;
  readonly reader: string;
  readonly exact: string;
}

/** Numbers of objects that were validated to compare generated readers with the exact code, which uses no generated reader. */
export interface ReadingCounts {
  objects: number;
  /** Number of objects that the exact code, which uses no generated reader, accepts. */
  accepted: number;
  /**
   * Number of accepted objects that a generated reader accepted without the exact code. `readUpdates` is the number of these objects that
   * replace another object.
   */
  read: number;
  /** Number of accepted objects that replace another object. */
  acceptedUpdates: number;
  readUpdates: number;
  /**
   * Number of objects that were passed as YAML and accepted by a generated reader. `readValues` counts objects that were passed as values
   * and accepted by a generated reader.
   */
  readYaml: number;
  readValues: number;
  /** Number of objects that a generated reader accepted and that contain a list which is parsed only at its first use. */
  readInPlace: number;
}

/** Returns counts that are all 0. */
export const newReadingCounts = (): ReadingCounts => ({
  objects: 0,
  accepted: 0,
  read: 0,
  acceptedUpdates: 0,
  readUpdates: 0,
  readYaml: 0,
  readValues: 0,
  readInPlace: 0,
});

/** Share of the bodies that are validated as an update. */
const UPDATES = 0.4;
/** Forms of bodies to choose from. JSON is repeated so that it is chosen most often. */
const FORMS: readonly BodyForm[] = ['json', 'json', 'json', 'json', 'yaml', 'value'];

/**
 * Computes the verdict on a body twice and returns the contradiction, or undefined if both verdicts agree. The first time, the body is
 * passed as bytes or as a value, which generated code may read. The second time, the body is passed as text or with an observer, which
 * prevents generated code. If both verdicts accept the body, they must agree in all details. The generated reader itself never refuses a
 * body.
 */
export function compareReadings(source: ReadingSource, body: string, dice: Dice, counts: ReadingCounts): Contradiction | undefined {
  const options = randomOptions(dice);
  const old = dice.chance(UPDATES) ? olderOf(source, dice) : undefined;
  const settings = {
    fieldValidation: dice.pick(['Warn', 'Warn', 'Strict', 'Ignore']),
    ownedFields: dice.pick(['asSent', 'takenOff'] as const),
  };
  const wantedForm = dice.pick(FORMS);
  const value = wantedForm === 'value' ? valueOf(body) : undefined;
  const form = wantedForm === 'value' && value === undefined ? 'json' : wantedForm;
  const write = (requestBody: ObjectWrite['body']): ObjectWrite => ({
    ...(old === undefined ? { operation: 'CREATE' } : { operation: 'UPDATE', oldObject: parsed(old) }),
    body: requestBody,
    contentType: form === 'yaml' ? 'application/yaml' : 'application/json',
    fieldValidation: settings.fieldValidation,
    version: source.version,
    ownedFields: settings.ownedFields,
  });
  // Only the exact code reports times, so `timings` shows which code ran.
  const asBytes = validateObject(source.definition, write(value ?? utf8Bytes(body)), { ...options, timings: true });
  const asText =
    value === undefined
      ? validateObject(source.definition, write(body), options)
      : validateObject(source.definition, write(value), { ...options, observer: () => undefined });
  const isUpdate = Number(old !== undefined);
  counts.objects += 1;
  if (!('cancelled' in asText) && asText.accepted) {
    counts.accepted += 1;
    counts.acceptedUpdates += isUpdate;
  }
  if (!('cancelled' in asBytes) && asBytes.accepted && asBytes.phases === undefined) {
    counts.read += 1;
    counts.readUpdates += isUpdate;
    counts.readYaml += Number(form === 'yaml');
    counts.readValues += Number(form === 'value');
    counts.readInPlace += Number(holdsUnreadList(asBytes.object));
  }
  const [reader, exact] = [verdictText(asBytes), verdictText(asText)];
  return reader === exact ? undefined : { body, old, form, options, reader, exact };
}

/** Parses a body into a value; undefined if the body is not a JSON object. */
function valueOf(body: string): JsonObject | undefined {
  const reading = readJson(body);
  return reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
}

/** Returns true if an object contains a list that is not parsed yet, because it is parsed only at its first use. */
function holdsUnreadList(object: JsonObject): boolean {
  return Object.values(Object.getOwnPropertyDescriptors(object)).some(
    (field) => !('value' in field) || (isJsonObject(field.value as JsonValue) && holdsUnreadList(field.value as JsonObject)),
  );
}

/**
 * Returns the old object for an update, based on the recorded old object or on the new object. The result is unchanged or has some changes.
 */
function olderOf(source: ReadingSource, dice: Dice): string {
  const body = source.old !== undefined && dice.chance(0.7) ? source.old : source.body;
  return dice.chance(0.5) ? body : variantOf({ ...source, body }, dice);
}

function parsed(text: string): JsonObject {
  const object = valueOf(text);
  if (object === undefined) throw new Error(`no object: ${text}`);
  return object;
}

/** Returns the body of a source with an unusual spelling, and in some cases with random changes. */
export function variantOf({ body }: ReadingSource, dice: Dice): string {
  const tree = readTree(body);
  if (!(tree instanceof Members)) return body;
  const changed = cloneTree(tree);
  const metadata = changed.object('metadata');
  if (metadata.get('name') === undefined) metadata.set('name', 'one');
  if (dice.chance(0.6)) mutateObject(dice, changed);
  return new OddSpelling(dice).write(changed);
}

/** Returns random validation options. Sometimes they contain cost limits that are low enough to be reached. */
function randomOptions(dice: Dice): ValidationOptions {
  return {
    ...(dice.chance(0.1) && { costLimit: dice.pick([0, 1, 5, 50, 500]) }),
    ...(dice.chance(0.1) && { budget: dice.pick([0, 1, 5, 50, 500, 5000]) }),
  };
}

/** Returns all details of a verdict as text. The keys of the object keep their order. */
function verdictText(verdict: ObjectVerdict): string {
  if ('cancelled' in verdict) return 'cancelled';
  const { warnings, cost, sent, takenOff } = verdict;
  const outcome = verdict.accepted
    ? writeJson(verdict.object, { escapeHtml: false, keys: 'own' })
    : `${verdict.status.message}\n${verdict.errors.map(fieldErrorText).join('\n')}`;
  return JSON.stringify({ accepted: verdict.accepted, outcome, warnings, cost, sent, takenOff });
}
