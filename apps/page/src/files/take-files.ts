import type { Pane, Texts } from '../state/texts.ts';

/** Total size in bytes above which files are not put into editors. The verdicts on their objects are then computed in slices. */
const MAX_BYTES = 5_000_000;
/** Number of documents above which files are not put into editors. The verdicts on their objects are then computed in slices. */
const MAX_DOCUMENTS = 2_000;

/**
 * Treatment of files that the user dropped or opened. `texts`: text panels of the page show the documents. `slices`: the files are too
 * large for the panels and are evaluated piece by piece. `unreadable`: a file cannot be read.
 */
export type TakenFiles =
  | { readonly kind: 'texts'; readonly texts: Partial<Texts> }
  | { readonly kind: 'slices'; readonly files: readonly File[] }
  | { readonly kind: 'unreadable'; readonly why: string };

/** Reads files that the user dropped or opened. Decides by the content of each file in which editor of the page it is shown. */
export async function takeFiles(files: readonly File[]): Promise<TakenFiles> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_BYTES) return { kind: 'slices', files };
  const texts: Partial<Record<Pane, string>> = {};
  let documents = 0;
  for (const file of files) {
    const text = await textOf(file);
    if (text === undefined) return { kind: 'unreadable', why: `${file.name} is no text in UTF-8, and was left out.` };
    documents += (text.match(/^---/gm)?.length ?? 0) + (/\.(ndjson|jsonl)$/.test(file.name) ? (text.match(/\n/g)?.length ?? 0) : 1);
    const pane = paneOf(text);
    const before = texts[pane];
    const shown = asDocuments(text, file.name);
    texts[pane] = before === undefined ? shown : `${before.trimEnd()}\n---\n${shown}`;
  }
  return documents > MAX_DOCUMENTS ? { kind: 'slices', files } : { kind: 'texts', texts };
}

async function textOf(file: File): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}

/** Converts lines of JSON into a stream of YAML documents. Returns any other text unchanged. */
function asDocuments(text: string, name: string): string {
  return /\.(ndjson|jsonl)$/.test(name) ? text.trim().split('\n').join('\n---\n') : text;
}

function paneOf(text: string): Pane {
  if (/^\s*"?kind"?:\s*"?CustomResourceDefinition\b/m.test(text) || /"kind":\s*"CustomResourceDefinition"/.test(text)) return 'definitions';
  return /^\s*"?apiVersion"?:\s*"?admissionregistration\.k8s\.io\//m.test(text) ? 'policies' : 'objects';
}
