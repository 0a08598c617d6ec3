import { Fields } from './fields.ts';
import { readMatchResources } from './match-resources.ts';
import { readNamedExpression } from './policy.ts';
import type { JsonObject } from '#go';
import type { MatchResources } from './match-resources.ts';
import type { NamedExpression } from './policy.ts';

/**
 * Fields of a webhook that determine for which requests the webhook is called. Source: k8s.io/api/admissionregistration/v1/types.go
 * `ValidatingWebhook` (1.37).
 */
export interface Webhook {
  readonly name: string;
  readonly match: MatchResources;
  readonly failurePolicy: string;
  readonly matchConditions: readonly NamedExpression[];
}

/**
 * Reads the webhooks of a ValidatingWebhookConfiguration or MutatingWebhookConfiguration. Throws `Unreadable` if a field has a wrong type.
 */
export function readWebhooks(document: JsonObject): readonly Webhook[] {
  return new Fields(document, '').list('webhooks', (value, path) => {
    const fields = new Fields(value, path);
    return {
      name: fields.text('name'),
      match: readMatchResources(fields, 'rules'),
      failurePolicy: fields.optionalText('failurePolicy') ?? 'Fail',
      matchConditions: fields.list('matchConditions', readNamedExpression),
    };
  });
}
