import { marked } from 'marked';
import { messagesOf } from './messages.mjs';

/** Lowest number of words of a sentence that is checked. Shorter texts are usually not sentences. */
const FEWEST_WORDS = 4;
/** Pattern of files with tests. */
const IS_TEST = /\.spec\.tsx?$/;
const SENTENCE_END = /(?<=[.!?:])\s+(?=[A-Z`*{[])/;

/**
 * Yields the sentences of a Markdown document, or those of a program: `{ kind, line, text, isFirst }`. The kind is `documents`, or
 * `docComments`, `inlineComments`, `messages` and `testTitles` in a program. Very short sentences are left out.
 */
export function* sentencesOf(file, text) {
  if (file.endsWith('.md')) {
    for (const paragraph of paragraphsOf(text)) yield* sentencesIn('documents', paragraph);
    return;
  }
  for (const comment of inlineCommentsOf(text)) yield* sentencesIn('inlineComments', comment);
  if (IS_TEST.test(file)) {
    for (const title of testTitlesOf(text)) yield* sentencesIn('testTitles', title);
    return;
  }
  for (const comment of docCommentsOf(text)) yield* sentencesIn('docComments', comment);
  for (const { at, text: message } of messagesOf(file, text)) {
    const line = lineAt(text, at);
    for (const part of message.split('\n')) yield* sentencesIn('messages', { line, text: part });
  }
}

function* sentencesIn(kind, { line, text, isFollowing = false }) {
  const sentences = withoutMarkup(text)
    .split(SENTENCE_END)
    .filter((sentence) => sentence.split(' ').length >= FEWEST_WORDS);
  for (const [index, sentence] of sentences.entries()) yield { kind, line, text: sentence, isFirst: index === 0 && !isFollowing };
}

/** Yields the paragraphs, list items and table rows of doc comments. Only comments at the beginning of a line are read. */
function* docCommentsOf(text) {
  for (const comment of text.matchAll(/(?<=^[ \t]*)\/\*\*([\s\S]*?)\*\//gm)) {
    const prose = comment[1].replace(/\n\s*\* ?/g, '\n').split(/\n\s*@/)[0];
    const line = lineAt(text, comment.index);
    for (const [index, part] of prose.split(/\n\s*\n|\n(?=- |\|)/).entries())
      yield { line, text: part.replace(/^[-|] ?/, ''), isFollowing: index > 0 };
  }
}

/** Yields comments that begin with two slashes: blocks of whole lines, and comments behind code. */
function* inlineCommentsOf(text) {
  for (const block of text.matchAll(/^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*/gm)) {
    const prose = block[0].replace(/^[ \t]*\/\/ ?/gm, '');
    // Directives for editors and linters are not prose.
    if (!/^(?:oxlint|eslint|prettier|oxfmt|@ts-|#region|v8 |biome)/.test(prose)) yield { line: lineAt(text, block.index), text: prose };
  }
  for (const comment of text.matchAll(/(?<=[;,{([})\]:|&=?] +)\/\/ (.*)$/gm)) yield { line: lineAt(text, comment.index), text: comment[1] };
}

/** Yields the titles of tests and groups of tests in a spec. A title behind `each` counts, too. */
function* testTitlesOf(text) {
  for (const title of text.matchAll(/\b(?:it|test|describe)(?:\.\w+(?:\([^\n]*?\))?)*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g))
    yield { line: lineAt(text, title.index), text: title[2].replaceAll('\\', '').replace(/\$\{[^}]*\}|[$%]\w+/g, 'X') };
}

/** Yields paragraphs, items of lists and cells of tables. Code and headings are left out. */
function* paragraphsOf(text) {
  let from = 0;
  for (const token of marked.lexer(text)) {
    const at = Math.max(from, text.indexOf(token.raw.slice(0, 40), from));
    from = at + token.raw.length;
    for (const prose of proseOf(token)) yield { line: lineAt(text, at), text: prose };
  }
}

function proseOf(token) {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return [token.text];
    case 'list':
      return token.items.flatMap((item) => item.tokens.flatMap(proseOf));
    case 'blockquote':
      return token.tokens.flatMap(proseOf);
    case 'table':
      return [...token.header, ...token.rows.flat()].map((cell) => cell.text);
    default:
      return [];
  }
}

const lineAt = (text, index) => text.slice(0, index).split('\n').length;

/** Removes links, code and emphasis from a text. A code span is replaced by one word. */
function withoutMarkup(text) {
  return text
    .replace(/\{@link ([^}]*)\}/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'X')
    .replace(/[*_]{1,2}(\S[^*_]*)[*_]{1,2}/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
