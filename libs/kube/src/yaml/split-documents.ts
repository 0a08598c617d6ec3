/** One document of a stream, with the line on which it begins (from 1). */
export interface YamlStreamPart {
  readonly text: string;
  readonly line: number;
}

const SEPARATOR = /^---(?:[ \t].*)?$/;
const END = /^\.\.\.(?:[ \t].*)?$/;

/**
 * Cuts a YAML stream at its `---` and `...` lines, as kubectl does; parts that hold nothing but comments and space are left out. Content
 * on the separator's own line stays with its document.
 */
export function splitDocuments(text: string): YamlStreamPart[] {
  const parts: YamlStreamPart[] = [];
  let from = 0;
  let fromLine = 1;
  let line = 1;
  let at = 0;
  /** Ends a part; false when it only holds directives, which belong to the document that follows. */
  const close = (to: number): boolean => {
    const part = text.slice(from, to);
    const lines = part.split('\n').filter((content) => /^[ \t]*[^#\s]/.test(content) && !/^---[ \t]*(?:#.*)?\r?$/.test(content));
    if (lines.length > 0 && lines.every((content) => content.startsWith('%'))) return false;
    if (lines.length > 0) parts.push({ text: part, line: fromLine });
    return true;
  };
  while (at <= text.length) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const content = text.slice(at, text.charCodeAt(end - 1) === 13 ? end - 1 : end);
    if (SEPARATOR.test(content) || END.test(content)) {
      if (close(at)) {
        const ended = END.test(content);
        from = ended ? Math.min(end + 1, text.length) : at;
        fromLine = ended ? line + 1 : line;
      }
    }
    at = end + 1;
    line += 1;
  }
  close(text.length);
  return parts;
}
