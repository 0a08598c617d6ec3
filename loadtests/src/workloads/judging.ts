import { compileDefinition, compileStoredDefinition, validateObject, validateWithTimings } from '#crd';
import type { CompiledDefinition, ExactVerdict, ObjectVerdict } from '#crd';
import { isJsonObject, newJsonObject, readJson } from '#go';
import { defaultGates, LATEST_MINOR } from '#kube';
import type { JsonObject } from '#go';
import type { FeatureGates } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { customDefinition } from '../../../testing/custom-definition.ts';

/** Cost limit that is never reached, so that long lists are processed to their end. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

const GROUP = 'bench.example.com';

/** Compiles a definition for the latest Kubernetes minor version. */
export function compiled(document: JsonObject, gates: FeatureGates = defaultGates(LATEST_MINOR)): CompiledDefinition {
  return definitionOf(compileDefinition(document, { minor: LATEST_MINOR, gates, engine: NODE_ENGINE }));
}

/**
 * Compiles a definition for the latest Kubernetes minor version, as a definition that is already stored in a server. A stored definition
 * may have more expensive rules than a new one.
 */
export function compiledAsStored(document: JsonObject): CompiledDefinition {
  return definitionOf(compileStoredDefinition(document, { minor: LATEST_MINOR, engine: NODE_ENGINE }));
}

function definitionOf(outcome: ReturnType<typeof compileDefinition>): CompiledDefinition {
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

/** Compiles a definition for the latest Kubernetes minor version and prepares all its versions for the validation of objects. */
export function compiledToServe(document: JsonObject): CompiledDefinition {
  const definition = compiled(document);
  for (const version of definition.versions) definition.serve(version);
  return definition;
}

type Serving = NonNullable<ReturnType<CompiledDefinition['serve']>>;
type ServedVersion = Extract<Serving, { readonly ok: true }>['version'];
type CompiledRules = NonNullable<ServedVersion['rules']>;

/**
 * Compiles the rules of all versions immediately, instead of when the first object is validated. Returns the versions. Throws if a version
 * cannot be served.
 */
export function compileRules(definition: CompiledDefinition): ServedVersion[] {
  return definition.versions.map((name) => {
    const served = definition.serve(name);
    if (served?.ok !== true) throw new Error('a version cannot be served');
    compileRulesOf(served.version.rules, new Set());
    return served.version;
  });
}

/**
 * Compiles the rules of a node and of all nodes below it. `done` contains nodes that are already compiled, because a node may occur in
 * several places.
 */
function compileRulesOf(rules: CompiledRules | undefined, done: Set<CompiledRules>): void {
  if (rules === undefined || done.has(rules)) return;
  done.add(rules);
  void rules.rules;
  for (const child of [rules.items, rules.additionalProperties, ...rules.properties.map(([, property]) => property)])
    compileRulesOf(child, done);
}

/** Returns true if a generated reader produced a verdict. Such a verdict contains no times of steps, even if the caller requested them. */
export const isOfReader = (verdict: ObjectVerdict): boolean => !('cancelled' in verdict) && verdict.phases === undefined;

/** Cost limits of one write in cost units. A missing limit means the server's default. */
export interface CostLimits {
  readonly costLimit?: number;
  readonly budget?: number;
}

/** Cost limits that are never reached. */
export const NO_LIMITS: CostLimits = { costLimit: UNLIMITED, budget: UNLIMITED };

type Judged<Verdict> = Exclude<Verdict, { readonly cancelled: true }>;
const create = (body: Buffer) => ({ operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn' }) as const;

/**
 * Validates the creation of a JSON object as the product does. If possible, it uses a generated reader (code for one schema), and otherwise
 * the exact validation.
 */
export function judge(definition: CompiledDefinition, body: Buffer, limits: CostLimits = {}): Judged<ObjectVerdict> {
  return ended(validateObject(definition, create(body), { ...limits, timings: true }));
}

/**
 * Validates the creation of a JSON object with the exact validation, without a generated reader. The verdict contains the times of the
 * steps in ms.
 */
export function judgeExactly(definition: CompiledDefinition, body: Buffer, limits: CostLimits = {}): Judged<ExactVerdict> {
  return ended(validateWithTimings(definition, create(body), limits));
}

function ended<Verdict extends ObjectVerdict>(verdict: Verdict): Judged<Verdict> {
  if ('cancelled' in verdict) throw new Error('a write was cancelled that nobody cancels');
  return verdict as Judged<Verdict>;
}

/** Validates the creation of a JSON object without cost limits. Throws if the object is not accepted. */
export function judgeAccepted(definition: CompiledDefinition, body: Buffer, { version, exact = false }: Judging = {}): void {
  const verdict = validateObject(definition, { ...create(body), ...(version !== undefined && { version }) }, { ...NO_LIMITS, exact });
  if (!ended(verdict).accepted) throw new Error('an object that was to be accepted is not');
}

/** Options for validating an object. */
export interface Judging {
  /** Version of the definition; the default is the storage version. */
  readonly version?: string;
  /** True if the exact validation handles the object, so that no generated reader is used. */
  readonly exact?: boolean;
}

/** Returns the result of `run`, and its duration in ms. */
export function timed<T>(run: () => T): { readonly value: T; readonly ms: number } {
  const started = performance.now();
  const value = run();
  return { value, ms: performance.now() - started };
}

/** Returns a definition of the kind `Large` whose objects have the given properties. */
export function largeDefinition(properties: object): JsonObject {
  return parsed(customDefinition({ group: GROUP, kind: 'Large', schema: { type: 'object', properties } }));
}

/** Returns the text of an object of kind Large. */
export function largeBody(fields: object): Buffer {
  const metadata = { name: 'large', namespace: 'default' };
  return Buffer.from(JSON.stringify({ apiVersion: `${GROUP}/v1`, kind: 'Large', metadata, ...fields }));
}

/** Converts plain JavaScript data into the representation that the JSON reader produces. */
export function parsed(value: unknown): JsonObject {
  const reading = readJson(JSON.stringify(value));
  return reading.ok && isJsonObject(reading.value) ? reading.value : newJsonObject();
}
