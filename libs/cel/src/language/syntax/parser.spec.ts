import { describe, expect, it } from 'vitest';
import { macroTable } from './syntax.ts';
import { OPTIONAL_MACROS, STANDARD_MACROS, TWO_VARIABLE_MACROS } from './macros.ts';
import { parseExpression } from './parser.ts';
import type { Expr } from './ast.ts';

const syntax = {
  macros: macroTable([...STANDARD_MACROS, ...TWO_VARIABLE_MACROS, ...OPTIONAL_MACROS]),
  optionals: true,
  quotedIdentifiers: true,
};

function parse(text: string): Expr {
  const parsed = parseExpression(text, syntax);
  if (!parsed.ok) throw new Error(parsed.issues.toString());
  return parsed.expression.root;
}

function error(text: string): string {
  const parsed = parseExpression(text, syntax);
  return parsed.ok ? '' : parsed.issues.toString().split('\n')[0]!;
}

/** Returns the text of a node and its children. The text contains the ids of the nodes. */
function show(node: Expr): string {
  switch (node.kind) {
    case 'constant':
      return `${node.constant.type === 'null' ? 'null' : node.constant.value}#${node.id}`;
    case 'ident':
      return `${node.name}#${node.id}`;
    case 'select':
      return `${node.testOnly ? 'has ' : ''}${show(node.operand)}.${node.field}#${node.id}`;
    case 'call':
      return `${node.target === undefined ? '' : `${show(node.target)}.`}${node.function}(${node.args.map(show).join(', ')})#${node.id}`;
    case 'list':
      return `[${node.elements.map(show).join(', ')}]#${node.id}`;
    case 'map':
      return `{${node.entries.map((entry) => `${show(entry.key)}: ${show(entry.value)}#${entry.id}`).join(', ')}}#${node.id}`;
    case 'struct':
      return `${node.typeName}{}#${node.id}`;
    case 'comprehension':
      return `fold(${[node.iterRange, node.accuInit, node.loopCondition, node.loopStep, node.result].map(show).join('; ')})#${node.id}`;
  }
}

describe('syntax trees and the numbers of their nodes', () => {
  it.each([
    ['a + b * c', '_+_(a#1, _*_(b#3, c#5)#4)#2'],
    ['a && b && c && d', '_&&_(_&&_(a#1, b#2)#3, _&&_(c#4, d#6)#7)#5'],
    ['!!a', 'a#1'],
    ['---a', '-_(a#2)#1'],
    ['-1 - -1', '_-_(-1#1, -1#3)#2'],
    ['a ? b : c', '_?_:_(a#1, b#3, c#4)#2'],
    ['a.b[0].c()', '_[_](a#1.b#2, 0#4)#3.c()#5'],
    ['{a: 1}', '{a#3: 1#4#2}#1'],
    ['a.?b', '_?._(a#1, b#2)#3'],
    ['a.`b-c`', 'a#1.b-c#2'],
    ['has(a.b)', 'has a#2.b#4'],
    ['m.all(v, f)', 'fold(m#1; true#5; @not_strictly_false(@result#6)#7; _&&_(@result#8, f#4)#9; @result#10)#11'],
    ['[1, 2,]', '[1#2, 2#3]#1'],
  ])('are those of cel-go for %s', (text, expected) => {
    expect(show(parse(text))).toBe(expected);
  });
});

describe('syntax errors', () => {
  it.each([
    ['has(a)', 'ERROR: <input>:1:5: invalid argument to has() macro'],
    ['a.all(1, true)', 'ERROR: <input>:1:7: argument must be a simple name'],
    ['a.all(i, i, true)', 'ERROR: <input>:1:10: duplicate variable name: i'],
    ['namespace', 'ERROR: <input>:1:1: reserved identifier: namespace'],
    ['9223372036854775808', 'ERROR: <input>:1:1: invalid int literal'],
    ['18446744073709551616u', 'ERROR: <input>:1:1: invalid uint literal'],
    ['1e999', 'ERROR: <input>:1:1: invalid double literal'],
    [`${'('.repeat(251)}1${')'.repeat(251)}`, 'ERROR: <input>:-1:0: expression recursion limit exceeded: 250'],
    [`a${'.b'.repeat(251)}`, 'ERROR: <input>:-1:0: max recursion depth exceeded'],
    [' '.repeat(100_001), 'ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000'],
  ])('are those of a server for %s', (text, expected) => {
    expect(error(text)).toBe(expected);
  });
});

it('the parser keeps the original call of an expanded macro', () => {
  const parsed = parseExpression('a.exists(i, i)', syntax);
  const root = parsed.ok ? parsed.expression.root : undefined;
  const call = parsed.ok ? parsed.expression.macroCalls.get(root!.id) : undefined;
  expect(call).toMatchObject({ kind: 'call', function: 'exists' });
});
