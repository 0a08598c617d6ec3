import type { YamlReading } from '#go';
import { badRequestStatus } from '#kube';
import type { Status } from '#kube';
import type { MemberSpan } from '#documents';

/** Returns true if a document contains both apiVersion and kind twice. This means that two documents were merged into one. */
export function isTwoDocuments(reading: YamlReading): boolean {
  const isDoubled = (key: string): boolean => reading.ok && reading.doubledAtRoot.some((text) => text.includes(`: key "${key}" `));
  return isDoubled('apiVersion') && isDoubled('kind');
}

/**
 * Returns an error Status if a Kubernetes List in YAML has duplicate keys at its root, or if a missing `---` merged two documents. `kind`
 * is `list` if the document is a List.
 */
export function doubledYamlStatus(reading: YamlReading, kind: 'list' | 'other'): Status | undefined {
  const doubled = reading.ok ? reading.doubledAtRoot : [];
  const merged = isTwoDocuments(reading);
  if (doubled.length === 0 || !(kind === 'list' || merged)) return undefined;
  const hint = merged ? 'two documents have become one: put "---" between them: ' : '';
  return badRequestStatus(`${hint}strict decoding error: yaml: unmarshal errors:\n  ${doubled.join('\n  ')}`);
}

/**
 * Returns an error Status if the JSON of a Kubernetes list, such as `PodList`, has a duplicate key at its root. `members` are the members
 * of the root object.
 */
export function doubledMemberStatus(members: readonly MemberSpan[]): Status | undefined {
  const doubled = members.find(({ key }, i) => members.findIndex((member) => member.key === key) < i);
  return doubled && badRequestStatus(`strict decoding error: duplicate field ${JSON.stringify(doubled.key)}`);
}
