import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codePointLength, compileRegex, readFirstDocument } from '#go';
import { describe, expect, it } from 'vitest';
import { patternTexts } from './pattern-texts.ts';
import type { Texts } from './texts.ts';

const CORPORA = resolve(import.meta.dirname, '../../../../../shared/corpora');
/** Schema keywords whose values are data instead of schemas. */
const DATA = new Set(['default', 'example', 'enum']);
const LENGTHS = [0, 30, 300];

/** Returns all distinct values of `pattern` in the schemas of the corpora's definitions. */
function corporaPatterns(): string[] {
  const patterns = new Set<string>();
  const visit = (node: unknown, inSchema: boolean): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (inSchema && key === 'pattern' && typeof value === 'string') patterns.add(value);
      if (!inSchema || !DATA.has(key)) visit(value, inSchema || key === 'openAPIV3Schema');
    }
  };
  for (const file of readdirSync(CORPORA, { recursive: true, encoding: 'utf8' })) {
    const reading = /\.ya?ml$/.test(file) ? readFirstDocument(readFileSync(join(CORPORA, file))) : undefined;
    if (reading?.ok === true) visit(reading.value, false);
  }
  return [...patterns].sort();
}

/** Checks the texts that are generated for a pattern. Returns the faults that were found, or an empty list. */
function problemsOf(pattern: string, texts: Texts): string[] {
  const compiled = compileRegex(pattern);
  const problems: string[] = [];
  for (const length of LENGTHS) {
    const [one, other] = [texts.text(length, 0), texts.text(length, 1)];
    for (const text of [one, other]) {
      if (text === undefined || !compiled.ok || !compiled.regex.test(text)) problems.push(`no match at ${length}: ${text}`);
      else if (codePointLength(text) > Math.max(length, texts.least)) problems.push(`too long at ${length}: ${text}`);
    }
    if (one === other && texts.distinct(length) > 1) problems.push(`twice the same at ${length}: ${one}`);
  }
  if (codePointLength(texts.text(0, 0) ?? '') !== texts.least) problems.push('not the least length');
  return problems;
}

/** Checks the texts that are generated for the patterns of real definitions. */
describe.runIf(existsSync(CORPORA))('generated texts for the patterns of real definitions', () => {
  const patterns = existsSync(CORPORA) ? corporaPatterns() : [];

  it('exist for at least 99 % of the patterns, in the shortest length and with up to 30 and 300 code points', () => {
    const unserved = new Map<string, string[]>();
    const short: string[] = [];
    const single: string[] = [];
    for (const pattern of patterns) {
      const result = patternTexts(pattern);
      const problems = result.ok ? problemsOf(pattern, result.texts) : [result.reason];
      for (const problem of problems) unserved.set(problem, [...(unserved.get(problem) ?? []), pattern]);
      if (!result.ok) continue;
      if (result.texts.distinct(300) === 1) single.push(pattern);
      for (const length of [30, 300]) {
        const found = codePointLength(result.texts.text(length, 0) ?? '');
        if (found < Math.min(length, result.texts.most))
          short.push(`${pattern}: ${found} instead of ${Math.min(length, result.texts.most)}`);
      }
    }
    console.info(`${patterns.length} patterns; not served:`, Object.fromEntries(unserved));
    console.info(`${short.length} shorter than asked for:\n${short.join('\n')}\n${single.length} with one text:\n${single.join('\n')}`);
    expect(patterns.length).toBeGreaterThan(300);
    expect(new Set([...unserved.values()].flat()).size).toBeLessThanOrEqual(patterns.length / 100);
  });
});
