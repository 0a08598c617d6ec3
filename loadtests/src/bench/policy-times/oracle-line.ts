import { writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { PolicyCase } from './policy-cases.ts';

/** Returns a case as a line for the policy oracle (shared/oracle/policy, PROTOCOL.md). */
export function oracleLine({ id, subject, object }: PolicyCase): string {
  const kind = subject.policy['kind'] === 'MutatingAdmissionPolicy' ? 'mutate' : 'admit';
  const list = (documents: readonly JsonObject[]): JsonValue => [...documents];
  const line: Record<string, JsonValue> = {
    id,
    kind,
    policies: [subject.policy],
    bindings: list(subject.bindings),
    params: list(subject.cluster),
    crds: list(subject.definitions),
    object,
  };
  return `{${Object.entries(line)
    .map(([name, value]) => `${JSON.stringify(name)}:${writeJson(value)}`)
    .join(',')}}\n`;
}
