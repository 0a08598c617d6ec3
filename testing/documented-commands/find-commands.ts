import { marked } from 'marked';
import type { Token, Tokens } from 'marked';

/** Pattern of the lines in documents that count as commands, by the program that a line starts. */
const PROGRAMS = /^(?:[A-Z_]+=\S+ +)*(?:npm|npx|(?:\.\/)?assay|curl|docker|kubectl|helm) +\S/;
/** Languages of fenced blocks that contain command lines. A block with the language `text` contains output. */
const SHELL = new Set(['', 'sh', 'bash', 'shell', 'console']);
/** Kinds of fenced blocks in which a command follows `- run:`, `-` or a tab. */
const SCRIPTS = new Set(['yaml', 'make']);

/** A command line in a document. */
export interface DocumentedCommand {
  /** Path of the document, from the root of the project. */
  readonly page: string;
  /** Line in the document, from 1. */
  readonly line: number;
  /** Whole command line without its comment. Lines that end with a backslash are joined with the next line. */
  readonly text: string;
  /** True if the command is in running text or a table, false if it is in a fenced block. */
  readonly inline: boolean;
  /** Expected exit status from a comment such as `# exit status 1`; undefined if there is none. */
  readonly status: number | undefined;
  /**
   * Expected output from the page: the `text` block directly below the command, or the next quotation after it; undefined if there is none.
   */
  readonly output: string | undefined;
}

/** Returns the command lines of a Markdown document, from top to bottom. */
export function findCommands(page: string, markdown: string): DocumentedCommand[] {
  const found: DocumentedCommand[] = [];
  let offset = 0;
  const lineAt = (index: number): number => markdown.slice(0, index).split('\n').length;
  const tokens = marked.lexer(markdown);
  tokens.forEach((token, index) => {
    const start = markdown.indexOf(token.raw, offset);
    if (start < 0) throw new Error(`${page}: a part is not where it is looked for: ${token.raw.slice(0, 80)}`);
    offset = start + token.raw.length;
    if (token.type === 'code') {
      const fenced = token.raw.startsWith('```') ? 1 : 0;
      const output = outputAfter(tokens, index);
      const commands = commandsOfBlock(token.text as string, ((token.lang as string | undefined) ?? '').split(' ')[0] ?? '');
      commands.forEach(({ at, ...command }, n) =>
        found.push({
          page,
          line: lineAt(start) + fenced + at,
          inline: false,
          ...command,
          output: n === commands.length - 1 ? output : undefined,
        }),
      );
      return;
    }
    for (const { text, at } of commandsOfText(page, token))
      found.push({ page, line: lineAt(start + at), text, inline: true, status: undefined, output: undefined });
  });
  return found;
}

/**
 * Returns the output that a page shows below a block: a `text` block directly below, or the next quotation before another block or heading.
 * Undefined if there is none.
 */
function outputAfter(tokens: readonly Token[], index: number): string | undefined {
  const following = tokens.slice(index + 1).filter(({ type }) => type !== 'space');
  const [next] = following;
  if (next?.type === 'code' && next['lang'] === 'text') return next['text'] as string;
  const after = following.find(({ type }) => type !== 'paragraph');
  return after?.type === 'blockquote' ? (after['text'] as string) : undefined;
}

interface BlockCommand {
  /** Line of the command, counted from 0 at the block's first line. */
  readonly at: number;
  readonly text: string;
  readonly status: number | undefined;
}

function commandsOfBlock(block: string, kind: string): BlockCommand[] {
  if (!SHELL.has(kind) && !SCRIPTS.has(kind)) return [];
  const commands: BlockCommand[] = [];
  let before = '';
  let first = 0;
  block.split('\n').forEach((line, at) => {
    if (before === '') first = at;
    if (line.endsWith('\\')) {
      before += `${line.slice(0, -1).trim()} `;
      return;
    }
    const whole = before + (SCRIPTS.has(kind) ? line.replace(/^\s*(?:- )?(?:run: )?/, '') : line).trim();
    before = '';
    if (!isCommand(whole)) return;
    const comment = /\s{2,}#\s(.*)$/.exec(whole);
    const status = /^exit status (\d)/.exec(comment?.[1] ?? '')?.[1];
    const text = comment === null ? whole : whole.slice(0, comment.index);
    commands.push({ at: first, text, status: status === undefined ? undefined : Number(status) });
  });
  return commands;
}

/** Returns true if the line, or a part of its pipeline, begins with a program that `PROGRAMS` lists. */
function isCommand(line: string): boolean {
  return !line.startsWith('#') && line.split(/\s(?:\||&&|;)\s+/).some((part) => PROGRAMS.test(part.trim()));
}

function commandsOfText(page: string, token: Token): { readonly text: string; readonly at: number }[] {
  const commands: { text: string; at: number }[] = [];
  let at = 0;
  for (const span of spansOf(token)) {
    // In a table cell, the source has a backslash before each bar, which the parser removes.
    const raw = [span.raw, span.raw.replaceAll('|', '\\|')].find((spelling) => token.raw.includes(spelling, at));
    const text = span.text.replaceAll(/\s*\n\s*/g, ' ');
    if (raw === undefined) {
      if (isCommand(text)) throw new Error(`${page}: ${text} is not where it is looked for`);
      continue;
    }
    const index = token.raw.indexOf(raw, at);
    at = index + raw.length;
    if (isCommand(text)) commands.push({ text, at: index });
  }
  return commands;
}

/** Returns all code spans below a token, in their order. */
function spansOf(token: Token): Tokens.Codespan[] {
  const spans: Tokens.Codespan[] = [];
  void marked.walkTokens([token], (one) => {
    if (one.type === 'codespan') spans.push(one as Tokens.Codespan);
  });
  return spans;
}
