import { viewJson, isList, JsonPatchLiteral, ObjectLiteral } from '#cel';
import type { CelValue, Variables } from '#cel';
import { deepEqualJson } from '#go';
import type { CancellationToken, JsonObject } from '#go';
import type { Minor } from '#kube';
import { evaluateList } from '../expressions/evaluate-expressions.ts';
import type { ProgramRun } from '../expressions/evaluate-expressions.ts';
import { inVersion, RequestValues } from '../expressions/request-values.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import { kindText } from '../request/kinds.ts';
import type { GroupVersionKind } from '../request/kinds.ts';
import { judgeConditions, MATCH_CONDITIONS_BUDGET } from '../validate/evaluate-policy.ts';
import type { PolicyRefusal } from '../validate/verdict.ts';
import { paramName } from '../params.ts';
import type { ParamObject } from '../params.ts';
import { seenObject, withoutType } from '../request/held-object.ts';
import type { HeldObject } from '../request/held-object.ts';
import type { Invocation, PolicyFault } from './collect-invocations.ts';
import type { CompiledMutation } from './mutating-policy.ts';
import type { MutationRun, MutationWorld, Reinvocation } from './mutate.ts';
import { applyLiteral, patchInternalError, mutationFailed } from './patch/apply-literal.ts';
import type { MutationOutcome, MutationTarget } from './patch/apply-literal.ts';
import type { BuiltInKind } from '../built-in/table/built-in-kind.ts';
import type { StructType } from '../built-in/table/go-type.ts';
import { policyHas } from '../minors.ts';
import { applyJsonPatch } from './json-patch/apply-json-patch.ts';
import type { PatchOperation, PatchRules } from './json-patch/apply-json-patch.ts';
import { protobufValue } from './values/protobuf-value.ts';
import { typeNameErrors } from './values/literal-data.ts';

/**
 * Maximum number of bytes that the `copy` operations of a patch may add. Source: k8s.io/apiserver/pkg/server/config.go
 * `JSONPatchMaxCopyBytes` (1.37).
 */
const COPY_LIMIT = 3 * 1024 * 1024;

const patchRules = (minor: Minor): PatchRules => ({
  copyLimit: COPY_LIMIT,
  release: policyHas(minor, 'patchLibraryIsNewer') ? '4.13' : '4.12',
});

/**
 * Applies a JSON patch, which an expression returned, to the object of the request. If a `test` operation fails, the object is not changed.
 * Source: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/json_patch.go `Patch` (1.37).
 */
function applyOperations(patch: CelValue, { object, type, schemas, minor }: MutationTarget): MutationOutcome {
  const operations = readOperations(patch, minor);
  if (!Array.isArray(operations)) return operations;
  const outcome = applyJsonPatch(object, operations, patchRules(minor));
  switch (outcome.kind) {
    case 'test-failed':
      return { kind: 'patched', object };
    case 'failed':
      return mutationFailed(`JSON Patch: ${outcome.error}`);
    case 'panicked':
      return outcome;
    case 'patched': {
      const decoded = schemas.decoded(outcome.document, type);
      if (decoded.ok) return { kind: 'patched', object: decoded.object };
      return decoded.isFault ? mutationFailed(decoded.error) : { kind: 'refused', refusal: patchInternalError(decoded.error) };
    }
  }
}

function readOperations(patch: CelValue, minor: Minor): PatchOperation[] | MutationOutcome {
  if (!isList(patch)) return mutationFailed('type mismatch: JSONPatchType.expression should evaluate to array');
  const operations: PatchOperation[] = [];
  for (let index = 0; index < patch.size; index++) {
    const operation = readOperation(patch.at(index), minor);
    if ('kind' in operation) return operation;
    operations.push(operation);
  }
  return operations;
}

function readOperation(literal: CelValue, minor: Minor): PatchOperation | MutationOutcome {
  if (!(literal instanceof JsonPatchLiteral))
    return mutationFailed('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
  const { op, path, from, value } = literal;
  if (value === undefined) return { op, path, from };
  const mistyped = value instanceof ObjectLiteral ? typeNameErrors(value) : undefined;
  if (mistyped !== undefined) return mutationFailed(`type mismatch: ${mistyped}`);
  const converted = protobufValue(value, minor);
  if (converted.kind === 'json') return { op, path, from, value: converted.json };
  if (converted.kind === 'panicked') return converted;
  return mutationFailed(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${converted.error}`);
}

/** Object of the request in one API version. It contains the changes of all invocations until now. */
interface VersionedObject {
  object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  /** True if a mutation returned this object, even without a change. Only then can the object become the result of the pass. */
  dirty: boolean;
  /**
   * True if expressions read an object of a built-in kind as a Go struct, by reflection, instead of a map. They do so after the first match
   * conditions were evaluated.
   */
  reflected: boolean;
}

/** Settings and shared state of one pass, in which the mutating policies that apply to a request are called in order. */
export interface PassOptions {
  /** Cost budget of each mutation, in cost units. */
  readonly budget: number;
  readonly token: CancellationToken | undefined;
  /** Number of the pass through the policies: 1, or 2 for the pass that calls policies a second time. */
  readonly number: number;
  readonly reinvocation: Reinvocation;
  /** List that receives one record for each mutation. */
  readonly mutations: MutationRun[];
  /** List that receives the evaluations of the match conditions of each called policy; undefined if nobody reads them. */
  readonly conditions: ProgramRun[][] | undefined;
}

/** Result that ends a request before all policies are called: a refusal or a panic. */
type Ended = { readonly kind: 'refused'; readonly refusal: PolicyRefusal } | { readonly kind: 'panicked'; readonly error: string };

/**
 * One pass through the mutating policies that apply to a request. It calls the policies in order and collects the changed object. Source:
 * k8s.io/apiserver/pkg/admission/plugin/policy/mutating/dispatcher.go (1.37).
 */
export class MutationPass {
  /** Errors of the failed invocations. */
  readonly faults: PolicyFault[] = [];
  readonly #request: AdmissionRequest;
  readonly #world: MutationWorld;
  readonly #minor: Minor;
  readonly #options: PassOptions;
  /** Values of the request that expressions can read besides the object. */
  readonly #shown: RequestValues;
  readonly #versions = new Map<string, VersionedObject>();
  /** Version of the object that the latest invocation used. Only this version becomes the object of the request. */
  #last: VersionedObject | undefined;
  #namespace: HeldObject | undefined;

  constructor(request: AdmissionRequest, world: MutationWorld, minor: Minor, options: PassOptions) {
    this.#request = request;
    this.#world = world;
    this.#minor = minor;
    this.#options = options;
    this.#shown = new RequestValues(request, world);
  }

  /** Object in the version of the most recent invocation. Undefined if no mutation returned the object in this version. */
  get result(): JsonObject | undefined {
    return this.#last?.dirty === true ? this.#last.object : undefined;
  }

  /** Calls the policies in order. Returns the event that ended the request early, or undefined if all policies were called. */
  run(invocations: readonly Invocation[]): Ended | undefined {
    const missing = this.#findNamespace();
    if (missing !== undefined) return { kind: 'refused', refusal: missing };
    for (const invocation of invocations) {
      const ended = this.#invoke(invocation);
      if (ended !== undefined) return ended;
    }
    if (this.result !== undefined) this.#options.reinvocation.changed();
    return undefined;
  }

  #invoke(invocation: Invocation): Ended | undefined {
    const { compiled, matched, key } = invocation;
    const { reinvocation } = this.#options;
    const version = this.#version(matched.kind);
    const conditions = this.#judgeConditions(invocation, version);
    if (conditions !== 'yes') {
      if (conditions !== 'no') this.#fault(invocation, conditions.error);
      return undefined;
    }
    if (!reinvocation.calls(key)) return undefined;
    const before = version.object;
    for (const [index, mutation] of compiled.mutations.entries()) {
      this.#last = version;
      if (version.object === undefined) continue;
      const outcome = this.#mutate(invocation, mutation, index, version);
      if (outcome.kind === 'panicked' || outcome.kind === 'refused') return outcome;
      if (outcome.kind === 'failed') this.#fault(invocation, outcome.error);
      else {
        version.object = this.#world.schemas.defaulted(outcome.object, matched.kind);
        version.dirty = true;
      }
    }
    if (!deepEqualJson(before, version.object)) reinvocation.changed();
    if (compiled.policy.reinvocationPolicy === 'IfNeeded') reinvocation.add(key);
    return undefined;
  }

  #judgeConditions(invocation: Invocation, version: VersionedObject): 'yes' | 'no' | { readonly error: string } {
    const { compiled, matched } = invocation;
    const { matchConditions, policy } = compiled;
    if (matchConditions.expressions.length === 0) return 'yes';
    version.reflected = true;
    const values = this.#values({ ...invocation, matched: { kind: matched.kind, resource: this.#request.resource } }, version, undefined);
    const { token, conditions } = this.#options;
    const runs: ProgramRun[] = [];
    conditions?.push(runs);
    const list = evaluateList(matchConditions, { values, budget: MATCH_CONDITIONS_BUDGET, runs, token });
    return judgeConditions(list, policy.failurePolicy);
  }

  /** Evaluates and applies one mutation. Source: mutating/dispatcher.go `dispatchOne` (1.37). */
  #mutate(invocation: Invocation, mutation: CompiledMutation, index: number, version: VersionedObject): MutationOutcome {
    const { kind } = invocation.matched;
    if (this.#world.schemas.mergeType(kind) === 'unknown-group') return { kind: 'refused', refusal: unknownKind(kind) };
    const evaluations: ProgramRun[] = [];
    const outcome = this.#patch(invocation, mutation, version, evaluations);
    const error = outcome.kind === 'failed' ? outcome.error : outcome.kind === 'refused' ? outcome.refusal.message : undefined;
    const { compiled, param } = invocation;
    this.#options.mutations.push({
      policy: compiled.policy.name,
      param: param === undefined ? '' : paramName(param),
      index,
      pass: this.#options.number,
      error,
      evaluations,
    });
    if (outcome.kind !== 'patched' || mutation.patchType === 'JSONPatch') return outcome;
    const converted = this.#world.schemas.converted(outcome.object, this.#heldType(kind));
    return converted.ok ? { kind: 'patched', object: converted.object } : mutationFailed(converted.error);
  }

  #patch(
    invocation: Invocation,
    { patchType, expression, list }: CompiledMutation,
    version: VersionedObject,
    runs: ProgramRun[],
  ): MutationOutcome {
    const { matched } = invocation;
    if (!expression.compiled.ok) return mutationFailed(expression.compiled.error);
    const { budget, token } = this.#options;
    const values = this.#values(invocation, version, this.#namespace);
    const evaluated = evaluateList(list, { values, budget, runs, token });
    if (!evaluated.ok) return mutationFailed(evaluated.error);
    const [result] = evaluated.results;
    if (result === undefined || version.object === undefined)
      return { kind: 'refused', refusal: patchInternalError('policy evaluator is nil') };
    if (!result.ok) return mutationFailed(result.error);
    const { schemas } = this.#world;
    const target = { object: version.object, type: this.#heldType(matched.kind), kind: matched.kind, schemas, minor: this.#minor };
    return patchType === 'JSONPatch' ? applyOperations(result.value, target) : applyLiteral(result.value, target);
  }

  /** Returns the built-in kind whose Go type stores the object, or undefined if the object is not stored in a Go type. */
  #heldType(kind: GroupVersionKind): BuiltInKind | undefined {
    return this.#request.objectType === undefined ? undefined : this.#world.schemas.builtIn(kind);
  }

  #values({ compiled, matched, param }: Invocation, version: VersionedObject, namespace: HeldObject | undefined) {
    const params = compiled.policy.paramKind === undefined ? undefined : param === undefined ? null : shownParam(param);
    const { objectType, oldObjectType } = this.#request;
    return (mentioned: ReadonlySet<string>): Variables => ({
      ...this.#shown.of(matched, { namespace, params, authorizer: true }, mentioned),
      object: this.#view(version.object, objectType, version),
      oldObject: this.#view(version.oldObject, oldObjectType, version),
    });
  }

  #view(object: JsonObject | undefined, type: StructType | undefined, { reflected }: VersionedObject): CelValue {
    if (object === undefined) return null;
    return reflected ? seenObject({ object, type }, this.#minor) : viewJson(object);
  }

  #version(kind: GroupVersionKind): VersionedObject {
    const key = kindText(kind);
    const known = this.#versions.get(key);
    if (known !== undefined) return known;
    const { object, oldObject } = this.#request;
    const version: VersionedObject = {
      object: object && inVersion(object, kind),
      oldObject: oldObject && inVersion(oldObject, kind),
      dirty: false,
      reflected: false,
    };
    this.#versions.set(key, version);
    return version;
  }

  #fault({ compiled, binding }: Invocation, message: string): void {
    this.faults.push({ compiled, binding, message, reason: 'Invalid' });
  }

  /**
   * Looks up the Namespace object of the request. Returns a refusal if the Namespace does not exist. Cluster-scoped requests and requests
   * on a Namespace itself are not looked up.
   */
  #findNamespace(): PolicyRefusal | undefined {
    const { kind, namespace } = this.#request;
    const isNamespace = kind.group === '' && kind.version === 'v1' && kind.kind === 'Namespace';
    if (isNamespace || namespace === '') return undefined;
    this.#namespace = this.#world.namespaces.shown(namespace);
    if (this.#namespace !== undefined) return undefined;
    return { code: 404, reason: 'NotFound', message: this.#world.namespaces.notFound(namespace, 'once'), causes: [] };
  }
}

/**
 * Returns a parameter object as mutations see it. An object of a built-in kind is a Go struct without apiVersion and kind; an object of a
 * custom kind is unchanged.
 */
function shownParam({ object, type }: ParamObject): HeldObject {
  return { object: type === undefined ? object : withoutType(object), type };
}

/** Returns the refusal for a kind that has no published schema. */
function unknownKind(kind: GroupVersionKind): PolicyRefusal {
  const message = `Resource kind ${kindText(kind)} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`;
  return { code: 503, reason: 'ServiceUnavailable', message, causes: [] };
}
