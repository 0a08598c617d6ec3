import { describe, expect, it } from 'vitest';
import { indented, shownInLine, shownText } from './shown-text.ts';

const ESC = '\u001b';

describe('text from clients in the output for people', () => {
  it.each([
    ['a terminal title', `x${ESC}]0;owned\u0007`, 'x\\u001b]0;owned\\u0007'],
    ['a cleared screen', `${ESC}[2J\u009b2J`, '\\u001b[2J\\u009b2J'],
    ['a line that is written over', 'refused\raccepted', 'refused\\u000daccepted'],
    ['text that is turned round', 'a\u202egnp.exe\u2066', 'a\\u202egnp.exe\\u2066'],
    ['a workflow command', '::error file=x::injected', '\\::error file=x::injected'],
    ['one in the middle of a text', 'a\n  ::stop-commands::t\nb', 'a\n  \\::stop-commands::t\nb'],
    ['one after a line separator', 'a\u2028::error::b', 'a\\u2028::error::b'],
    ['an old workflow command', 'a ##[error]b', 'a #\\#[error]b'],
    ['a command of Azure Pipelines', '##vso[task.setvariable]x', '#\\#vso[task.setvariable]x'],
    ['a command of TeamCity', '##teamcity[buildProblem]x', '#\\#teamcity[buildProblem]x'],
    ['a command of Azure Pipelines in capitals', '##VSO[task.x]', '#\\#VSO[task.x]'],
    ['nothing of the kind', 'naïve “rules”\n\t日本語 a::b #[x]', 'naïve “rules”\n\t日本語 a::b #[x]'],
  ])('shows %s as visible text', (_, text, shown) => {
    expect(shownText(text)).toBe(shown);
  });

  it.each(['\u00a0', '\u1680', '\u2003', '\u205f', '\u3000'])('makes a workflow command after %j harmless', (space) => {
    expect(shownText(`a\n${space}::error::b`)).toBe(`a\n${space}\\::error::b`);
  });

  it('keeps a name on one line, and indents a message below its heading', () => {
    expect(shownInLine('x\n::error::y')).toBe('x\\n::error::y');
    expect(indented('a\nSummary: 0 objects')).toBe('    a\n    Summary: 0 objects');
  });
});
