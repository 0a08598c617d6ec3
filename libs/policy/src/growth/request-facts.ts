import type { CheckedExpression, NodeReadings } from '#cel';
import { utf8Length, writeJson } from '#go';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { PolicyProbe } from './probe-policy.ts';
import type { CompiledSubject } from './subject-probe.ts';

/** Numbers of steps that a server does for one request under one policy, from which a time can be predicted. */
export interface RequestFacts {
  /** Number of bindings that a server compares with the request. */
  readonly bindings: number;
  /** Number of pairs of a matching binding and a parameter object. A binding without parameters counts once. */
  readonly invocations: number;
  /** Number of invocations that have a parameter object. */
  readonly parameters: number;
  /** Number of parameter objects that bindings with a selector compare with their selectors, added up over the bindings. */
  readonly candidates: number;
  /** Number of lists of expressions that share a budget and are evaluated, added up over the invocations. */
  readonly lists: number;
  readonly evaluations: readonly { readonly isVariable: boolean; readonly checked: CheckedExpression; readonly readings: NodeReadings }[];
  /** Number of apply configurations that are merged into the object, and of JSON patches that are applied to it. */
  readonly applied: number;
  readonly patched: number;
  /** Size of the request's object as JSON, in bytes. */
  readonly objectBytes: number;
}

/** Counts the steps of a request. The policy must have been compiled for the engine that counts. */
export function requestFacts(probe: PolicyProbe, { policy, world }: CompiledSubject, request: AdmissionRequest): RequestFacts {
  const { runs, bindings, invocations, parameters } = probe;
  const selecting = policy.hook.bindings.filter(({ binding }) => binding.paramRef?.selector !== undefined).length;
  const types = policy.kind === 'mutating' ? policy.hook.compiled.mutations.map(({ patchType }) => patchType) : [];
  const mutations = runs.flatMap(({ evaluations }) => evaluations.filter(({ part }) => part === 'mutation'));
  const patched = mutations.filter(({ index }) => types[index] === 'JSONPatch').length;
  return {
    bindings: policy.hook.bindings.length,
    invocations,
    parameters,
    candidates: bindings === 0 || policy.hook.compiled.policy.paramKind === undefined ? 0 : selecting * world.params.all().length,
    lists: runs.reduce((sum, { evaluations }) => sum + new Set(evaluations.map((run) => run.for ?? run.part)).size, 0),
    evaluations: runs.flatMap(({ evaluations }) =>
      evaluations.flatMap(({ part, measured }) => (measured === undefined ? [] : [{ isVariable: part === 'variable', ...measured }])),
    ),
    applied: mutations.length - patched,
    patched,
    objectBytes: request.object === undefined ? 0 : utf8Length(writeJson(request.object)),
  };
}
