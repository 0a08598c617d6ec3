import { checkTypes, idleReasons, ObjectSchemas, readValidatingPolicy, reviewPolicy, serverKinds, Unreadable } from '#policy';
import type { CancellationToken, JsonObject } from '#go';
import type { DefinitionText, FieldValidation, PolicyReport } from '#documents';
import type { TypeCheckingServer } from '#policy';
import { readPolicyText } from './policy-cache.ts';

/**
 * Returns the answers of a server to the creation of each policy and binding in a text. With `typeChecking`, also returns the type-checking
 * status that the server writes into validating policies. Returns an empty list if a document cannot be read; the verdict of every object
 * then contains the reason. Throws `Cancelled` if the token requests cancellation.
 */
export function reviewPolicies(
  text: DefinitionText,
  { typeChecking, fieldValidation }: { readonly typeChecking: boolean; readonly fieldValidation: FieldValidation },
  token: CancellationToken,
): PolicyReport[] {
  const reading = readPolicyText(text);
  if (!reading.ok) return [];
  const { policies, definitions } = reading.documents;
  const { bodies } = reading;
  const server = typeChecking ? typeCheckingServer(definitions, text) : undefined;
  const idle = idleReasons(policies);
  return policies.flatMap((document, index) => {
    const review = reviewPolicy(document, { minor: text.minor, fieldValidation, body: bodies[index], token });
    if (review === undefined) return [];
    const { kind, name, refusal, warnings } = review;
    const types = server && kind === 'ValidatingAdmissionPolicy' ? typeWarnings(document, server) : undefined;
    return [
      {
        index,
        kind,
        name,
        accepted: refusal === undefined,
        ...(refusal && { status: refusal }),
        warnings: [...warnings],
        ...(idle[index]?.length && { hints: [...idle[index]] }),
        ...(types && { typeChecking: types }),
      },
    ];
  });
}

function typeCheckingServer(definitions: readonly JsonObject[], { minor }: DefinitionText): TypeCheckingServer {
  const schemas = new ObjectSchemas(minor, definitions);
  return { minor, kinds: serverKinds(minor, definitions), schemaOf: (kind) => schemas.published(kind) };
}

function typeWarnings(document: JsonObject, server: TypeCheckingServer): NonNullable<PolicyReport['typeChecking']> {
  try {
    return checkTypes(readValidatingPolicy(document), server).warnings.map(({ fieldRef, warning, kinds, suggestions }) => ({
      fieldRef,
      warning,
      kinds,
      ...(suggestions.length > 0 && { suggestions }),
    }));
  } catch (thrown) {
    if (thrown instanceof Unreadable) return [];
    throw thrown;
  }
}
