/** The Kubernetes minors that Assay speaks, oldest first. A minor is data: behaviour that changed is looked up in tables by it. */
export const MINORS = ['1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36', '1.37'] as const;

/** A Kubernetes minor version, such as `1.37`. */
export type Minor = (typeof MINORS)[number];

/** The newest minor, and the default everywhere. */
export const LATEST_MINOR: Minor = '1.37';

/** The minors as people read them: `1.30 … 1.37`. */
export const MINOR_RANGE = `${MINORS[0]} … ${LATEST_MINOR}`;

const NUMBERS = Object.fromEntries(MINORS.map((minor) => [minor, Number(minor.slice(2))])) as Readonly<Record<Minor, number>>;

/** Returns the number after the dot: 37 for `1.37`. Looked up, since options are compared by it many times a request. */
export function minorNumber(minor: Minor): number {
  return NUMBERS[minor];
}

/** Returns true when the text names a minor that Assay speaks. */
export function isMinor(text: string): text is Minor {
  return (MINORS as readonly string[]).includes(text);
}
