/** Kubernetes minor versions that Assay supports, oldest first. Separate tables list the differences in behaviour between them. */
export const MINORS = ['1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36', '1.37'] as const;

/** A Kubernetes minor version, such as `1.37`. */
export type Minor = (typeof MINORS)[number];

/** Newest supported Kubernetes minor version. It is the default in all functions and options. */
export const LATEST_MINOR: Minor = '1.37';

/** Range of supported Kubernetes minor versions as text for display: `1.30 … 1.37`. */
export const MINOR_RANGE = `${MINORS[0]} … ${LATEST_MINOR}`;

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
