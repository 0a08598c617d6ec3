import type { PlacedBound } from '#documents';
import { SourceFile } from './source-file.ts';
import type { PlacedSource } from './source-file.ts';
import { schemaField } from './written-field.ts';

/** Result of {@link mendText}: the changed text, or the reason why a bound cannot be added. */
export type MendedText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** Writes bounds such as `maxItems` into the text of a definition. Comments and the kind of line ends are kept. */
export function mendText(before: string, bounds: readonly PlacedBound[]): MendedText {
  let text = before;
  for (const bound of bounds) {
    const written = withBound(text, bound);
    if (written === undefined) return { ok: false, why: `${bound.path} is written in a way that a bound cannot be added to` };
    text = written;
  }
  return { ok: true, text: hasWindowsLineEnds(before) ? text.replaceAll(/(?<!\r)\n/g, '\r\n') : text };
}

/** Returns true if a text has line ends, and all of them are a carriage return with a line feed. */
const hasWindowsLineEnds = (text: string): boolean => text.includes('\r\n') && !/(?<!\r)\n/.test(text);

/** Returns the text of a definition with a bound written into it; undefined if the bound cannot be added to the text. */
function withBound(text: string, { version, schemaPath, keyword, suggested }: PlacedBound): string | undefined {
  const source = sourceOf(text);
  const root = schemaField(version, source);
  return source.withEntry(schemaPath === '' ? root : `${root}.${schemaPath}`, keyword, String(suggested));
}

function sourceOf(text: string): PlacedSource {
  const bytes = new TextEncoder().encode(text);
  return new SourceFile(bytes).document({ start: 0, end: bytes.length });
}
