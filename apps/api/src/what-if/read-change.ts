import { badRequestStatus } from '#kube';
import { definitionText, serverOf } from '#documents';
import type { ChangeEnvelope, EvaluationOptions, PolicySide } from '#documents';
import { checkDefinitions, checkDefinitionSize, checkPolicyBytes } from '#service';
import type { DefinitionChange, PolicyChange, ServiceLimits } from '#service';
import { throwIfDeclined } from '../answer-outcome.ts';
import { StatusFailure } from '../status.filter.ts';

/** Change that the first line of a request describes. It is either a change of a definition or a change of policies. */
export type RequestedChange =
  | { readonly of: 'definition'; readonly change: DefinitionChange }
  | { readonly of: 'policies'; readonly change: PolicyChange };

/**
 * Returns the change of a definition or of policies that the first line (envelope) of a what-if request describes. Throws a failure with a
 * Status if the line describes no valid change.
 */
export function readChange(
  head: ChangeEnvelope,
  options: EvaluationOptions,
  limits: Pick<ServiceLimits, 'maxDefinitions'>,
): RequestedChange {
  return head.from || head.to
    ? { of: 'policies', change: policyChange(head, options, limits) }
    : { of: 'definition', change: definitionChange(head, options) };
}

function definitionChange({ definitions, policies }: ChangeEnvelope, options: EvaluationOptions): DefinitionChange {
  const [from, to, ...more] = definitions;
  if (policies.length > 0) throw new StatusFailure(badRequestStatus('policies of a change belong into "from" and "to"'));
  if (!from || !to || more.length > 0)
    throw new StatusFailure(
      badRequestStatus('the first line must hold two definitions, the stored one and its change, or "from" and "to" with policies'),
    );
  throwIfDeclined(checkDefinitionSize('definitions[0]', from));
  throwIfDeclined(checkDefinitionSize('definitions[1]', to));
  const server = serverOf(options);
  return { from: definitionText(from, server), to: definitionText(to, server), options };
}

/** Returns a change of policies. Documents that the envelope has outside `from` and `to` belong to both sides. */
function policyChange(head: ChangeEnvelope, options: EvaluationOptions, limits: Pick<ServiceLimits, 'maxDefinitions'>): PolicyChange {
  const sideOf = (side: PolicySide | undefined): PolicySide => {
    const whole = {
      definitions: [...head.definitions, ...(side?.definitions ?? [])],
      policies: [...head.policies, ...(side?.policies ?? [])],
      cluster: [...head.cluster, ...(side?.cluster ?? [])],
    };
    throwIfDeclined(checkDefinitions(whole.definitions, limits));
    throwIfDeclined(checkPolicyBytes(whole));
    return whole;
  };
  return { from: sideOf(head.from), to: sideOf(head.to), options };
}
