import { callWebhook, compileWebhook, readWebhooks } from '#policy';
import type { JsonObject } from '#go';
import { objectsOf, requestOf } from './read-case.ts';
import { evaluationParts, filled, kindName, resourceName } from './verdict-parts.ts';
import type { CaseContext } from '../case-context.ts';
import type { VerdictObject } from '../canonical-text.ts';

/** Computes the verdict on a `webhook` case: which webhooks of the given configurations would be called. */
export function judgeWebhookCase(testCase: JsonObject, { minor, engine }: CaseContext): VerdictObject {
  const { request, world } = requestOf(testCase, minor);
  const webhooks = objectsOf(testCase, 'webhooks')
    .flatMap(readWebhooks)
    .map((webhook): VerdictObject => {
      const { name, call, refusal, evaluations } = callWebhook(compileWebhook(webhook, minor, engine), request, world);
      return {
        name,
        call: call !== undefined,
        kind: call && kindName(call.kind),
        resource: call && resourceName(call.resource),
        code: refusal?.code,
        reason: refusal?.reason,
        error: refusal?.message,
        evaluations: filled(evaluations.map((run) => evaluationParts(run, minor))),
      };
    });
  return { webhooks };
}
