import { describe, expect, it } from 'vitest';
import { macroTable } from '../syntax.ts';
import { STANDARD_MACROS } from '../macros.ts';
import { recoveredIssues } from './recovered-issues.ts';

const syntax = { macros: new Map(), optionals: true, quotedIdentifiers: true };
const OPERAND = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Tests the error texts against those that a server of 1.37 prints. */
describe('recoveredIssues', () => {
  it.each([
    ['self.x ==', `ERROR: <input>:1:10: Syntax error: mismatched input '<EOF>' expecting ${OPERAND}\n | self.x ==\n | .........^`],
    ['a.true', "ERROR: <input>:1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER\n | a.true\n | ..^"],
    ["a 'x'", "ERROR: <input>:1:3: Syntax error: extraneous input ''x'' expecting <EOF>\n | a 'x'\n | ..^"],
  ])('reports the syntax error of %j as a server does', (text, issues) => {
    expect(recoveredIssues(text, syntax).toString()).toBe(issues);
  });

  it('places an error without a position at the start', () => {
    const text = 'has(..a.b)';
    expect(recoveredIssues(text, { ...syntax, macros: macroTable(STANDARD_MACROS) }).toString()).toMatch(
      /^ERROR: <input>:1:0: invalid argument to has\(\) macro\n \| has\(\.\.a\.b\)\n \| \^\n/,
    );
  });

  it('stops at the limits of Kubernetes for errors and recursion', () => {
    expect(recoveredIssues('a = '.repeat(120), syntax).toString()).toMatch(/1 more errors were truncated$/);
    expect(recoveredIssues('('.repeat(300), syntax).toString()).toContain('expression recursion limit exceeded: 250');
  });
});
