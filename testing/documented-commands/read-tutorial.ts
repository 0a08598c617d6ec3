import { marked } from 'marked';
import type { Token } from 'marked';

/** Step of a tutorial: a file that the reader of the tutorial saves, or a command that the reader runs. */
export type TutorialStep =
  | { readonly line: number; readonly file: string; readonly text: string }
  | { readonly line: number; readonly command: string; readonly status: number; readonly output: string | undefined };

/** Pattern of the words directly before a block that the reader saves as a file. */
const SAVED = /\bSave\s+this\s+as\s+`([^`\s]+)`:$/;
/** Pattern of the word after a block's language that states the exit status of its last command, if it is not 0. */
const STATUS = /(?:^|\s)status=(\d+)$/;

/**
 * Returns the steps of a tutorial, in their order.
 *
 * A block is a file if the sentence before it ends with "Save this as `NAME`:". A block of `sh` contains commands, and a block of `text`
 * directly below it shows the output of its last command. Any other block is an error, so that everything in a tutorial is tested.
 */
export function readTutorial(page: string, markdown: string): TutorialStep[] {
  const steps: TutorialStep[] = [];
  let line = 1;
  let before: Token | undefined;
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'code') {
      const lang = (token['lang'] as string | undefined) ?? '';
      const text = token['text'] as string;
      const file = before?.type === 'paragraph' ? SAVED.exec(before.raw.trim())?.[1] : undefined;
      if (file !== undefined) steps.push({ line, file, text });
      else if (/^sh\b/.test(lang)) steps.push(...commandsOf(text, line + 1, Number(STATUS.exec(lang)?.[1] ?? 0)));
      else if (lang === 'text' && before?.type === 'code') showOutput(steps, text);
      else throw new Error(`${page}:${line}: this block is neither saved, nor run, nor an output`);
    }
    line += token.raw.split('\n').length - 1;
    if (token.type !== 'space') before = token;
  }
  return steps;
}

/** Returns the commands of a block. A backslash at the end of a line continues the command on the next line. */
function commandsOf(block: string, first: number, status: number): TutorialStep[] {
  const commands: { line: number; command: string; status: number; output: undefined }[] = [];
  let isContinued = false;
  block.split('\n').forEach((text, at) => {
    const last = commands.at(-1);
    if (isContinued && last !== undefined) last.command += `\n${text}`;
    else if (text.trim() !== '') commands.push({ line: first + at, command: text, status: 0, output: undefined });
    isContinued = text.endsWith('\\');
  });
  const last = commands.at(-1);
  if (last !== undefined) last.status = status;
  return commands;
}

function showOutput(steps: TutorialStep[], output: string): void {
  const last = steps.pop();
  if (last === undefined || !('command' in last)) throw new Error(`no command precedes the output ${output.slice(0, 80)}`);
  steps.push({ ...last, output });
}
