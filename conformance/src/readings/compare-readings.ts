import { validateObject } from '#crd';
import type { CompiledDefinition, ObjectVerdict, ObjectWrite, ValidationOptions } from '#crd';
import { isJsonObject, readJson, utf8Bytes, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { fieldErrorText } from '#kube';
import type { Dice } from '../random/dice.ts';
import { mutateObject } from '../random/mutate-object.ts';
import { cloneTree, Members, readTree } from '../random/tree.ts';
import { OddSpelling } from './odd-spelling.ts';

/** A definition with the text of one object. */
export interface ReadingSource {
  readonly definition: CompiledDefinition;
  readonly version: string;
  readonly body: string;
  /** The old object, if it was recorded or made as an update. */
  readonly old: string | undefined;
}

/** The form of a body: JSON, equivalent YAML, or a value that was read before. */
export type BodyForm = 'json' | 'yaml' | 'value';

/** A body of which the reader and the exact code do not say the same. */
export interface Contradiction {
  readonly body: string;
  /** The object that it replaces; undefined for a create. */
  readonly old: string | undefined;
  readonly form: BodyForm;
  readonly options: ValidationOptions;
  readonly reader: string;
  readonly exact: string;
}

/** The counts of a comparison. */
export interface ReadingCounts {
  objects: number;
  /** Objects that the exact code accepts. */
  accepted: number;
  /** Those of them that the reader accepted by itself. */
  read: number;
  /** Accepted objects that replace another one. */
  acceptedUpdates: number;
  readUpdates: number;
  /** Objects accepted by the reader that were sent as YAML, and as values. */
  readYaml: number;
  readValues: number;
  /** Objects accepted by the reader with lists that were read in place. */
  readInPlace: number;
}

/** Nothing seen yet. */
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

/** Share of the bodies that are judged as an update. */
const UPDATES = 0.4;
/** Most bodies are JSON. */
const FORMS: readonly BodyForm[] = ['json', 'json', 'json', 'json', 'yaml', 'value'];

/**
 * Judges a body twice. First it is bytes or a value, which generated code may read by their schema. Then it is a text
 * or under an observer, for which generated code never runs. If both accept, they must agree in all details; the reader
 * never refuses.
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
  // Only the exact code tells its times.
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

/** Returns a body as a value that was read before; undefined where it is no object. */
function valueOf(body: string): JsonObject | undefined {
  const reading = readJson(body);
  return reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
}

/** Returns true if an object contains a list that is read at its first use, as lists in columns are. */
function holdsUnreadList(object: JsonObject): boolean {
  return Object.values(Object.getOwnPropertyDescriptors(object)).some(
    (field) => !('value' in field) || (isJsonObject(field.value as JsonValue) && holdsUnreadList(field.value as JsonObject)),
  );
}

/** Returns the old object of an update: the recorded one, or the object itself, unchanged or with some changes. */
function olderOf(source: ReadingSource, dice: Dice): string {
  const body = source.old !== undefined && dice.chance(0.7) ? source.old : source.body;
  return dice.chance(0.5) ? body : variantOf({ ...source, body }, dice);
}

function parsed(text: string): JsonObject {
  const object = valueOf(text);
  if (object === undefined) throw new Error(`no object: ${text}`);
  return object;
}

/** Returns the body of a source with an odd spelling, and sometimes with some changes. */
export function variantOf({ body }: ReadingSource, dice: Dice): string {
  const tree = readTree(body);
  if (!(tree instanceof Members)) return body;
  const changed = cloneTree(tree);
  const metadata = changed.object('metadata');
  if (metadata.get('name') === undefined) metadata.set('name', 'one');
  if (dice.chance(0.6)) mutateObject(dice, changed);
  return new OddSpelling(dice).write(changed);
}

/** Limits that now and then are near. */
function randomOptions(dice: Dice): ValidationOptions {
  return {
    ...(dice.chance(0.1) && { costLimit: dice.pick([0, 1, 5, 50, 500]) }),
    ...(dice.chance(0.1) && { budget: dice.pick([0, 1, 5, 50, 500, 5000]) }),
  };
}

/** Returns all that a verdict says, with the keys of the object in their order. */
function verdictText(verdict: ObjectVerdict): string {
  if ('cancelled' in verdict) return 'cancelled';
  const { warnings, cost, sent, takenOff } = verdict;
  const outcome = verdict.accepted
    ? writeJson(verdict.object, { escapeHtml: false, keys: 'own' })
    : `${verdict.status.message}\n${verdict.errors.map(fieldErrorText).join('\n')}`;
  return JSON.stringify({ accepted: verdict.accepted, outcome, warnings, cost, sent, takenOff });
}
