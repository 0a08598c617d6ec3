import { compileDefinition, compileStoredDefinition, validateObject } from '#crd';
import type { CompiledDefinition, ObjectVerdict, ObjectWrite } from '#crd';
import { isJsonObject, newJsonObject, readJson } from '#go';
import { defaultGates, LATEST_MINOR } from '#kube';
import type { JsonObject } from '#go';
import type { FeatureGates } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { customDefinition } from '../../../testing/custom-definition.ts';

/** A cost limit that nothing reaches: long lists are to be walked to their end. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

const GROUP = 'bench.example.com';

/** A definition compiled for the newest minor. */
export function compiled(document: JsonObject, gates: FeatureGates = defaultGates(LATEST_MINOR)): CompiledDefinition {
  const outcome = compileDefinition(document, { minor: LATEST_MINOR, gates, engine: NODE_ENGINE });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

/** A definition compiled for the newest minor as one that is stored: its rules may cost more than a new one's. */
export function compiledAsStored(document: JsonObject): CompiledDefinition {
  const outcome = compileStoredDefinition(document, { minor: LATEST_MINOR, engine: NODE_ENGINE });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

/** Whether a verdict that was asked for its times is that of a generated reader: only the exact code has steps, whose times it tells. */
export const isOfReader = (verdict: ObjectVerdict): boolean => !('cancelled' in verdict) && verdict.phases === undefined;

/** Judges a create that is to be accepted, without limits of cost. Throws where it is not. */
export function judgeAccepted(
  definition: CompiledDefinition,
  body: ObjectWrite['body'],
  { version, contentType = 'application/json', isObserved = false }: BodyForm = {},
): void {
  const write = { operation: 'CREATE', body, contentType, fieldValidation: 'Warn', ...(version !== undefined && { version }) } as const;
  const observer = isObserved ? (): void => undefined : undefined;
  const verdict = validateObject(definition, write, { costLimit: UNLIMITED, budget: UNLIMITED, observer });
  if ('cancelled' in verdict || !verdict.accepted) throw new Error('an object that was to be accepted is not');
}

/** What a body is said to be. */
export interface BodyForm {
  /** Default: the storage version. */
  readonly version?: string;
  /** Default: JSON. */
  readonly contentType?: string;
  /** Whether someone watches the rules, which no reader serves: the exact code judges. */
  readonly isObserved?: boolean;
}

/** What a run gave, and its milliseconds. */
export function timed<T>(run: () => T): { readonly value: T; readonly ms: number } {
  const started = performance.now();
  const value = run();
  return { value, ms: performance.now() - started };
}

/** A definition of the kind Large whose objects have these properties, written as JSON. */
export function largeDefinition(properties: object): JsonObject {
  return parsed(customDefinition({ group: GROUP, kind: 'Large', schema: { type: 'object', properties } }));
}

/** The text of an object of kind Large. */
export function largeBody(fields: object): Buffer {
  const metadata = { name: 'large', namespace: 'default' };
  return Buffer.from(JSON.stringify({ apiVersion: `${GROUP}/v1`, kind: 'Large', metadata, ...fields }));
}

/** Plain JavaScript data as the reader gives it. */
export function parsed(value: unknown): JsonObject {
  const reading = readJson(JSON.stringify(value));
  return reading.ok && isJsonObject(reading.value) ? reading.value : newJsonObject();
}
