import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { LazyDfa } from './lazy-dfa.ts';
import { MatchFinder } from './match-finder.ts';
import { programOf } from './regex-program.ts';
import type { Re2Instruction, RegexProgram } from './regex-program.ts';

/**
 * Patterns for which backtracking takes exponential or polynomial time. Each has a unit that is repeated in the text, and an end that makes
 * the match fail.
 */
const CATASTROPHIC: readonly (readonly [pattern: string, unit: string, end: string])[] = [
  ['(a+)+$', 'a', '!'],
  ['(a|aa)+$', 'a', '!'],
  ['(.*)*x$', 'a', 'x\n'],
  ['(x+x+)+y$', 'x', 'y!'],
  ['(?:a{1,10}){1,10}b$', 'a', 'b!'],
  ['^(?:\\pL+|\\p{Lu}+|_)+$', 'Éα', '!'],
  ['[ab]*a[ab]{8}c$', 'abbab', 'c!'],
  ['^(?:\\b\\w+\\b\\s?)+$', 'ab ', '!'],
  ['(?m)^(?:\\s*\\w*\\s*)*;$', 'ab \n', ';!'],
];

/**
 * Limit for every engine: the average number of times that it may read one instruction per character of the text. Backtracking would read
 * instructions thousands of times.
 */
const READS = 3;

/** Returns a compiled pattern that counts the reads of its instructions. */
function counted(pattern: string): { readonly engine: RE2JS; readonly program: RegexProgram; readonly read: () => number } {
  const engine = RE2JS.compile(pattern);
  const program = (engine.re2() as unknown as { prog: { inst: readonly Re2Instruction[]; start: number } }).prog;
  const columns = programOf(program);
  let count = 0;
  function counting<List extends object>(list: List): List {
    return new Proxy(list, {
      get(target, key) {
        count++;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }
  program.inst = counting(program.inst);
  return { engine, program: { ...columns, ops: counting(columns.ops) }, read: () => count };
}

/** Maximum average number of times that a search reads one character before the general engine takes over the search. */
const LOOKS_AT_CHARACTER = 32;

/** Returns a text that counts how often its characters are read. */
function countedText(text: string): { readonly text: string; readonly read: () => number } {
  let count = 0;
  const reading = {
    length: text.length,
    charCodeAt: (at: number) => (count++, text.charCodeAt(at)),
    codePointAt: (at: number) => (count++, text.codePointAt(at)),
  };
  return { text: reading as unknown as string, read: () => count };
}

describe.each(CATASTROPHIC)('the engines for the pattern %s', (pattern, unit, end) => {
  const text = (times: number): string => unit.repeat(times) + end;

  it.each([500, 1000, 4000])('read each instruction only a few times per character, if the text repeats %i times', (times) => {
    const { engine, program, read } = counted(pattern);
    const instructions = program.ops.length;
    const before = read();
    expect(engine.matcher(text(times)).find()).toBe(false);
    expect(read() - before).toBeLessThan(READS * instructions * text(times).length);
  });

  it('build no more states for a longer text of the same kind', () => {
    const { program, read } = counted(pattern);
    const automaton = LazyDfa.of(program);
    // The general engine handles line anchors and word boundaries.
    if (automaton === undefined) return expect(pattern).toMatch(/\\b|\(\?m\)/);
    expect(automaton.test(text(2000))).toBe(false);
    const made = read();
    expect(automaton.test(text(8000))).toBe(false);
    expect(read()).toBe(made);
  });

  it.each([500, 4000])('read each character only a few times in a search, if the text repeats %i times', (times) => {
    const finder = MatchFinder.of(counted(pattern).program);
    if (finder === undefined) return expect(pattern).toMatch(/\\b|\(\?m\)/);
    const { text: searched, read } = countedText(text(times));
    expect(finder.find(searched, 0)).toBeOneOf(['none', 'unknown']);
    expect(read()).toBeLessThan(LOOKS_AT_CHARACTER * searched.length);
  });
});
