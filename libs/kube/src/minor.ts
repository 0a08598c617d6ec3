/** Kubernetes minor versions that Assay supports, oldest first. Separate tables list the differences in behaviour between them. */
export const MINORS = ['1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36', '1.37', '1.38'] as const;

/** A Kubernetes minor version, such as `1.37`. */
export type Minor = (typeof MINORS)[number];

/** Newest released Kubernetes minor version. It is the default in all functions and options. */
export const LATEST_MINOR: Minor = '1.37';

/**
 * Minor versions that Kubernetes has not released yet, each with the pre-release whose behaviour Assay reproduces. To follow a newer
 * pre-release, change its entry; to follow the release, remove the entry and change `LATEST_MINOR`. `written-minors.spec.ts` names the documents
 * that must say the same.
 */
const PREVIEWS: Readonly<Partial<Record<Minor, string>>> = { '1.38': '1.38.0-beta.0' };

/** Returns the pre-release whose behaviour Assay reproduces for a minor version, such as `1.38.0-beta.0`. Returns undefined for a released minor version. */
export function previewOf(minor: Minor): string | undefined {
  return PREVIEWS[minor];
}

/** Returns the previews among minor versions, each with its pre-release: `{"1.38": "1.38.0-beta.0"}`. Returns undefined if there are none. */
export function previewsAmong(minors: readonly Minor[]): Readonly<Partial<Record<Minor, string>>> | undefined {
  const previews = minors.flatMap((minor) => {
    const preview = previewOf(minor);
    return preview === undefined ? [] : [[minor, preview] as const];
  });
  return previews.length === 0 ? undefined : Object.fromEntries(previews);
}

/**
 * Returns a sentence about the previews among minor versions, without a full stop at its end: `1.38 is a preview of 1.38.0-beta.0: texts and
 * costs may change until the release`. Returns undefined if there are none.
 */
export function previewNotice(minors: readonly Minor[]): string | undefined {
  const previews = Object.entries(previewsAmong(minors) ?? {}).map(([minor, preview]) => `${minor} is a preview of ${preview}`);
  return previews.length === 0 ? undefined : `${previews.join(', and ')}: texts and costs may change until the release`;
}

/** Returns a text without a full stop, and the notice about the previews among all supported minor versions after it. */
export function withPreviewNotice(text: string): string {
  const notice = previewNotice(MINORS);
  return notice === undefined ? text : `${text}. ${notice}`;
}

/**
 * Returns a minor version as users see it: `1.37`, or `1.38 (preview of 1.38.0-beta.0)` if Kubernetes has not released it yet. A version that
 * Assay does not support is returned unchanged.
 */
export function minorWords(minor: string): string {
  const preview = isMinor(minor) ? previewOf(minor) : undefined;
  return preview === undefined ? minor : `${minor} (preview of ${preview})`;
}

/** Returns the range of supported minor versions, with the given word between its ends: `1.30 to 1.38 (preview of 1.38.0-beta.0)`. */
export function minorRange(between: string): string {
  return `${MINORS[0]} ${between} ${minorWords(MINORS.at(-1) as Minor)}`;
}

/** Range of supported Kubernetes minor versions as text for display: `1.30 … 1.38 (preview of 1.38.0-beta.0)`. */
export const MINOR_RANGE = minorRange('…');

const NUMBERS = Object.fromEntries(MINORS.map((minor) => [minor, Number(minor.slice(2))])) as Readonly<Record<Minor, number>>;

/**
 * Returns the number after the dot of a Kubernetes minor version: 37 for `1.37`. The number comes from a table, because minor versions are
 * compared many times per request.
 */
export function minorNumber(minor: Minor): number {
  return NUMBERS[minor];
}

/** Returns true if the text is a Kubernetes minor version that Assay supports. */
export function isMinor(text: string): text is Minor {
  return (MINORS as readonly string[]).includes(text);
}

/** Returns true if only one of two minor versions has the later behaviour of a difference, which begins with the minor version `since`. */
export function separates({ since }: { readonly since: number }, one: Minor, other: Minor): boolean {
  return minorNumber(one) >= since !== minorNumber(other) >= since;
}
