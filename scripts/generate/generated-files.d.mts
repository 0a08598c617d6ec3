/** Paths of all generated files that Git does not store, relative to the project. */
export const GENERATED_FILES: readonly string[];

/** Generates the files that are missing, or whose sources changed. */
export function generateFiles(): void;
