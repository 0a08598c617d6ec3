import type { Finding } from '#editing';
import { grouped } from '#numbers';
import type { PlacedReport } from './place-findings.ts';

/**
 * Maximum size in bytes of all annotations of an object. Source: k8s.io/apimachinery/pkg/api/validation/objectmeta.go
 * `TotalAnnotationSizeLimitB`.
 */
const ANNOTATION_LIMIT = 262_144;

/**
 * Size of a definition's text in bytes from which its JSON can exceed {@link ANNOTATION_LIMIT}. Flow and block YAML may be shorter than
 * JSON, by quotes and commas, but not by half.
 */
export const LARGE_TEXT_BYTES = ANNOTATION_LIMIT / 2;

/**
 * Adds a note to the report on a definition that is too large for the annotation in which `kubectl apply` stores the last applied
 * configuration. `bytes` is the size of the definition as JSON; undefined for texts smaller than {@link LARGE_TEXT_BYTES}.
 */
export function withApplyNote<T extends PlacedReport & { readonly composite?: string | undefined }>(
  report: T,
  bytes: number | undefined,
): T {
  // Crossplane writes the definitions that it makes without kubectl.
  if (bytes === undefined || bytes <= ANNOTATION_LIMIT || report.composite !== undefined) return report;
  const { location, findings = [] } = report;
  const message = `kubectl apply cannot keep this definition in its last-applied annotation: ${grouped(bytes)} bytes of JSON, and annotations have at most ${grouped(ANNOTATION_LIMIT)}. Use kubectl apply --server-side, or kubectl create`;
  const place = location && { location: { ...location, endLine: location.line, endColumn: location.column + 1 } };
  return { ...report, findings: [...findings, { severity: 'note', message, ...place } satisfies Finding] };
}
