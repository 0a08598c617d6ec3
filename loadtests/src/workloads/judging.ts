import { compileDefinition, compileStoredDefinition, validateObject, validateObjectExactly } from '#crd';
import type { CompiledDefinition, ExactVerdict, ObjectVerdict } from '#crd';
import { isJsonObject, newJsonObject, readJson } from '#go';
import { defaultGates, LATEST_MINOR } from '#kube';
import type { JsonObject } from '#go';
import type { FeatureGates } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { customDefinition } from '../../../testing/custom-definition.ts';

/** A cost limit that nothing reaches: long lists are to be walked to their end. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

const GROUP = 'bench.example.com';

/** Returns a definition compiled for the newest minor. */
export function compiled(document: JsonObject, gates: FeatureGates = defaultGates(LATEST_MINOR)): CompiledDefinition {
  return definitionOf(compileDefinition(document, { minor: LATEST_MINOR, gates, engine: NODE_ENGINE }));
}

/** Compiles a definition for the newest minor as a stored one. Its rules may cost more than the rules of a new definition. */
export function compiledAsStored(document: JsonObject): CompiledDefinition {
  return definitionOf(compileStoredDefinition(document, { minor: LATEST_MINOR, engine: NODE_ENGINE }));
}

function definitionOf(outcome: ReturnType<typeof compileDefinition>): CompiledDefinition {
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

/** Returns a definition compiled for the newest minor, with all its versions made ready for objects. */
export function compiledToServe(document: JsonObject): CompiledDefinition {
  const definition = compiled(document);
  for (const version of definition.versions) definition.serve(version);
  return definition;
}

type Serving = NonNullable<ReturnType<CompiledDefinition['serve']>>;
type ServedVersion = Extract<Serving, { readonly ok: true }>['version'];
type CompiledRules = NonNullable<ServedVersion['rules']>;

/** Compiles the rules of all versions at once, which else an object asks for. Returns the versions. Throws if one cannot be served. */
export function compileRules(definition: CompiledDefinition): ServedVersion[] {
  return definition.versions.map((name) => {
    const served = definition.serve(name);
    if (served?.ok !== true) throw new Error('a version cannot be served');
    compileRulesOf(served.version.rules, new Set());
    return served.version;
  });
}

/** `done`: nodes that stand at several places are compiled once. */
function compileRulesOf(rules: CompiledRules | undefined, done: Set<CompiledRules>): void {
  if (rules === undefined || done.has(rules)) return;
  done.add(rules);
  void rules.rules;
  for (const child of [rules.items, rules.additionalProperties, ...rules.properties.map(([, property]) => property)])
    compileRulesOf(child, done);
}

/** Returns true for a verdict of a generated reader, which has no times of steps. The caller asked for these times. */
export const isOfReader = (verdict: ObjectVerdict): boolean => !('cancelled' in verdict) && verdict.phases === undefined;

/** Cost limits of one write in units; the server's own where nothing is said. */
export interface CostLimits {
  readonly costLimit?: number;
  readonly budget?: number;
}

/** Limits that nothing reaches. */
export const NO_LIMITS: CostLimits = { costLimit: UNLIMITED, budget: UNLIMITED };

type Judged<Verdict> = Exclude<Verdict, { readonly cancelled: true }>;
const create = (body: Buffer) => ({ operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn' }) as const;

/** Judges a create of JSON as the product does: by a generated reader if one will do. */
export function judge(definition: CompiledDefinition, body: Buffer, limits: CostLimits = {}): Judged<ObjectVerdict> {
  return ended(validateObject(definition, create(body), { ...limits, timings: true }));
}

/** Judges a create of JSON by the exact way, which tells the milliseconds of its steps. */
export function judgeExactly(definition: CompiledDefinition, body: Buffer, limits: CostLimits = {}): Judged<ExactVerdict> {
  return ended(validateObjectExactly(definition, create(body), limits));
}

function ended<Verdict extends ObjectVerdict>(verdict: Verdict): Judged<Verdict> {
  if ('cancelled' in verdict) throw new Error('a write was cancelled that nobody cancels');
  return verdict as Judged<Verdict>;
}

/** Judges a create of JSON that is to be accepted, without limits of cost. Throws where it is not. */
export function judgeAccepted(definition: CompiledDefinition, body: Buffer, { version, exact = false }: Judging = {}): void {
  const verdict = validateObject(definition, { ...create(body), ...(version !== undefined && { version }) }, { ...NO_LIMITS, exact });
  if (!ended(verdict).accepted) throw new Error('an object that was to be accepted is not');
}

/** The way to judge an object. */
export interface Judging {
  /** Default: the storage version. */
  readonly version?: string;
  /** True if the exact way judges, not a generated reader. */
  readonly exact?: boolean;
}

/** Returns the result of a run, and its milliseconds. */
export function timed<T>(run: () => T): { readonly value: T; readonly ms: number } {
  const started = performance.now();
  const value = run();
  return { value, ms: performance.now() - started };
}

/** Returns a definition of the kind Large whose objects have these properties, written as JSON. */
export function largeDefinition(properties: object): JsonObject {
  return parsed(customDefinition({ group: GROUP, kind: 'Large', schema: { type: 'object', properties } }));
}

/** Returns the text of an object of kind Large. */
export function largeBody(fields: object): Buffer {
  const metadata = { name: 'large', namespace: 'default' };
  return Buffer.from(JSON.stringify({ apiVersion: `${GROUP}/v1`, kind: 'Large', metadata, ...fields }));
}

/** Returns plain JavaScript data as the reader gives it. */
export function parsed(value: unknown): JsonObject {
  const reading = readJson(JSON.stringify(value));
  return reading.ok && isJsonObject(reading.value) ? reading.value : newJsonObject();
}
