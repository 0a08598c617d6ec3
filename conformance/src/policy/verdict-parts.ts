import { CelError, runtimeTypeName, typeOfValue } from '#cel';
import { utf8Length } from '#go';
import { minorNumber } from '#kube';
import { apiVersionOf, policyHas } from '#policy';
import type { Minor } from '#kube';
import type { GroupVersionKind, GroupVersionResource, PolicyOutcome, PolicyRun, ProgramRun, PolicyRefusal } from '#policy';
import { verdictText } from '../canonical-text.ts';
import { protobufJson } from './protobuf-json.ts';
import type { VerdictObject, VerdictValue } from '../canonical-text.ts';

/** Maximum length of a value's text. Longer texts are left out of the verdict. */
const MAX_VALUE_BYTES = 2048;

/** Returns a list or text; undefined if it is empty. */
export const filled = <T extends { readonly length: number }>(list: T): T | undefined => (list.length === 0 ? undefined : list);

/** Returns the admission decision in the form of the protocol. */
export function refusalParts(refusal: PolicyRefusal | undefined): VerdictObject {
  if (refusal === undefined) return { allowed: true };
  const { code, reason, message, causes } = refusal;
  return { allowed: false, code, reason: filled(reason), message: filled(message), causes: filled(causes) };
}

export const kindName = (kind: GroupVersionKind): string => `${apiVersionOf(kind)}/${kind.kind}`;
export const resourceName = (resource: GroupVersionResource): string => `${apiVersionOf(resource)}/${resource.resource}`;

/** Returns the parts of a policy's outcome that are compared with the recorded verdict. */
export function policyParts({ policy, matched, error, bindings }: PolicyOutcome, minor: Minor): VerdictObject {
  return {
    policy,
    matched: matched !== undefined,
    kind: matched && kindName(matched.kind),
    resource: matched && resourceName(matched.resource),
    error,
    bindings: filled(
      bindings.map(({ binding, matched, error, runs }) => ({
        binding,
        matched,
        error,
        runs: filled(runs.map((run) => runParts(run, minor))),
      })),
    ),
  };
}

function runParts({ param, decisions, auditAnnotations, evaluations }: PolicyRun, minor: Minor): VerdictObject {
  return {
    param: filled(param),
    decisions: filled(
      decisions.map(({ action, evaluation, message, reason }) => ({
        action,
        evaluation: evaluation === 'deny' && !policyHas(minor, 'denialsAreEvaluations') ? '' : evaluation,
        message: filled(message),
        reason: filled(reason),
      })),
    ),
    auditAnnotations: filled(
      auditAnnotations.map(({ key, action, value, error }) => ({ key, action, value: filled(value), error: filled(error) })),
    ),
    evaluations: filled(evaluations.map((run) => evaluationParts(run, minor))),
    cost: costParts(evaluations),
  };
}

/** Returns the parts of one evaluation of a program that are compared with the recorded verdict. */
export function evaluationParts({ part, index, name, for: by, cost, value }: ProgramRun, minor: Minor): VerdictObject {
  const outcome = value instanceof CelError ? { error: value.message } : printedValue(value, minor);
  return { part, index: part === 'variable' || part === 'expression' ? undefined : index, name, for: by, cost, ...outcome };
}

/** Returns a value with the name of its type. The value is left out if it is too long or cannot be written as JSON. */
export function printedValue(value: Exclude<ProgramRun['value'], CelError>, minor: Minor): VerdictObject {
  const naming = { optionalTypeName: minorNumber(minor) >= 31 ? 'optional_type' : 'optional' } as const;
  const type = runtimeTypeName(typeOfValue(value), naming);
  const json: VerdictValue = protobufJson(value, minor);
  return { type, value: json === undefined || utf8Length(verdictText(json)) > MAX_VALUE_BYTES ? undefined : json };
}

/**
 * Returns the cost units of match conditions, validations, message expressions and audit annotations, each including the cost of the
 * variables that were evaluated for them. Each group has a separate cost budget.
 */
function costParts(evaluations: readonly ProgramRun[]): VerdictObject {
  const sum = (part: ProgramRun['part']): number =>
    evaluations.reduce((all, run) => ((run.for ?? run.part) === part ? all + run.cost : all), 0);
  return {
    matchConditions: sum('matchCondition'),
    validations: sum('validation'),
    messageExpressions: sum('messageExpression'),
    auditAnnotations: sum('auditAnnotation'),
  };
}
