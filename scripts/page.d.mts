/** Folder from which the API serves the page. A build writes the page there. */
export const PAGE: string;

/**
 * Builds the page into a folder. `alone`: no server of ours stands behind it. `bundled`: folder of a build, whose scripts and styles are
 * used again. Answers with the bytes of each script and style, compressed.
 */
export function buildPage(
  folder?: string,
  options?: { readonly alone?: boolean; readonly bundled?: string | undefined },
): Promise<Readonly<Record<string, number>>>;
