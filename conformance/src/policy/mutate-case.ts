import { deepEqualJson } from '#go';
import { compileMutatingPolicies, mutate, ObjectSchemas } from '#policy';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import type { MutationRun } from '#policy';
import { CaseProblem, numberField } from '../case-context.ts';
import { objectsOf, requestOf } from './read-case.ts';
import { evaluationParts, filled, refusalParts } from './verdict-parts.ts';
import type { CaseContext } from '../case-context.ts';
import type { VerdictObject } from '../canonical-text.ts';

/** Computes the verdict on a `mutate` case: how MutatingAdmissionPolicies change the object of a request. */
export function judgeMutateCase(testCase: JsonObject, { minor, engine }: CaseContext): VerdictObject {
  const compiled = compileMutatingPolicies(objectsOf(testCase, 'policies'), objectsOf(testCase, 'bindings'), { minor, engine });
  if (!compiled.ok) throw new CaseProblem(compiled.error);
  const { request, world } = requestOf(testCase, minor);
  const schemas = new ObjectSchemas(minor, objectsOf(testCase, 'crds'));
  const verdict = mutate(compiled.set, request, { ...world, schemas }, { budget: numberField(testCase, 'budget') });
  if (verdict.panic !== undefined) throw new CaseProblem(`panic: ${verdict.panic}`);
  const { refusal, object, reinvoked, mutations } = verdict;
  const unchanged = refusal === undefined && deepEqualJson(request.object, object);
  return {
    ...refusalParts(refusal),
    object: refusal === undefined ? object : undefined,
    unchanged: unchanged || undefined,
    reinvoked: reinvoked || undefined,
    mutations: filled(mutations.map((run) => mutationParts(run, minor))),
    ...(testCase['echo'] === true ? { seen: request.object } : {}),
  };
}

function mutationParts({ policy, param, index, pass, error, evaluations }: MutationRun, minor: Minor): VerdictObject {
  return {
    policy,
    param: filled(param),
    index,
    pass,
    error,
    cost: evaluations.reduce((sum, { cost }) => sum + cost, 0),
    evaluations: filled(evaluations.map((run) => evaluationParts(run, minor))),
  };
}
