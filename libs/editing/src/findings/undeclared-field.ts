import type { EditorFinding } from './findings.ts';
import type { PlacedSource } from '../texts/source-file.ts';

/**
 * Returns a note if a finding reports that a rule reads a field that the schema preserves but does not declare. Returns undefined for any
 * other finding.
 */
export function undeclaredNote({ message, field = '', location }: EditorFinding, source: PlacedSource): EditorFinding | undefined {
  const name = /undefined field '([^']+)'/.exec(message)?.[1];
  const node = /^(.*)\.x-kubernetes-validations\[\d+\]\.(?:rule|messageExpression)$/.exec(field)?.[1];
  if (name === undefined || node === undefined) return undefined;
  if (source.textOf(source.writtenField(`${node}.x-kubernetes-preserve-unknown-fields`)) !== 'true') return undefined;
  const words = `rules see only declared fields, also under x-kubernetes-preserve-unknown-fields: declare ${name} among the properties`;
  return { severity: 'note', message: words, ...(location && { location }) };
}
