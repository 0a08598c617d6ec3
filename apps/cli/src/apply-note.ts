import { readJson, readYaml, utf8Bytes, writeJson } from '#go';
import type { Finding } from '#source';
import type { PlacedReport } from './place-findings.ts';
import type { PlacedDocument } from './read-documents.ts';

/**
 * Maximum size in bytes of all annotations of an object. Source: k8s.io/apimachinery/pkg/api/validation/objectmeta.go
 * `TotalAnnotationSizeLimitB`.
 */
const ANNOTATION_LIMIT = 262_144;

/**
 * Adds a note to the report on a definition that is too large for the annotation in which `kubectl apply` stores the last applied
 * configuration.
 */
export function withApplyNote<T extends PlacedReport>(report: T, document: PlacedDocument | undefined): T {
  const bytes = document === undefined ? 0 : jsonBytes(document);
  if (bytes <= ANNOTATION_LIMIT) return report;
  const { location, findings = [] } = report;
  const message = `kubectl apply cannot keep this definition in its last-applied annotation: ${bytes.toLocaleString('en')} bytes of JSON, and annotations have at most ${ANNOTATION_LIMIT.toLocaleString('en')}. Use kubectl apply --server-side, or kubectl create`;
  const place = location && { location: { ...location, endLine: location.line, endColumn: location.column + 1 } };
  return { ...report, findings: [...findings, { severity: 'note', message, ...place } satisfies Finding] };
}

/** Returns the size of a document as JSON, in bytes. Returns 0 if the document is too small to exceed the limit, or cannot be read. */
function jsonBytes({ slice: { bytes, notation } }: PlacedDocument): number {
  // Flow and block YAML may be shorter than JSON, by quotes and commas, but not by half.
  if (bytes.length < ANNOTATION_LIMIT / 2) return 0;
  const reading = notation === 'json' ? readJson(bytes) : readYaml(bytes);
  return reading.ok ? utf8Bytes(writeJson(reading.value)).length : 0;
}
