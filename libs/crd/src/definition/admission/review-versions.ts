/** Versions of conversion reviews that the server can send, in the order in which errors list them. */
export const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];

/** Returns true if the server can send at least one given review version. */
export function recognizedReviewVersions(versions: readonly string[]): boolean {
  return versions.some((version) => REVIEW_VERSIONS.includes(version));
}
