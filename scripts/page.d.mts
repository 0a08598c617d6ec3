/** Builds the page into a folder. `alone`: no server of ours stands behind it. Answers with the bytes of each script and style, compressed. */
export function buildPage(folder?: string, options?: { readonly alone?: boolean }): Promise<Readonly<Record<string, number>>>;
