import { FileProblem } from './file-problem.ts';

/**
 * Returns the patterns for which a pattern with braces stands, as in bash: `{a,b}` for each alternative, and `{1..9}` or `{a..e}` for each
 * element of the range. All other braces remain in the pattern. Throws {@link FileProblem} if there are more than `most` patterns.
 */
export function expandBraces(pattern: string, most: number): readonly string[] {
  let expanded: readonly string[] = [''];
  let at = 0;
  for (const { start, end } of outermostBraces(pattern)) {
    const before = pattern.slice(at, start);
    const alternatives = alternativesOf(pattern.slice(start + 1, end), most);
    checkCount(expanded.length * alternatives.length, most);
    expanded = expanded.flatMap((one) => alternatives.map((alternative) => `${one}${before}${alternative}`));
    at = end + 1;
  }
  return expanded.map((one) => `${one}${pattern.slice(at)}`);
}

function checkCount(count: number, most: number): void {
  if (count > most) throw new FileProblem(`the pattern stands for more than ${most} patterns`);
}

/** Returns the places of the brackets that enclose braces and are not enclosed by other braces. */
function* outermostBraces(pattern: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let start = 0; start < pattern.length; start++) {
    if (pattern[start] === '\\') start++;
    else if (pattern[start] === '{') {
      const end = closingBrace(pattern, start);
      if (end === undefined) continue;
      yield { start, end };
      start = end;
    }
  }
}

function closingBrace(pattern: string, start: number): number | undefined {
  let depth = 0;
  for (let i = start; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === '{') depth++;
    else if (pattern[i] === '}' && --depth === 0) return i;
  }
  return undefined;
}

/** Returns the texts for which the inside of a pair of braces stands. */
function alternativesOf(inside: string, most: number): readonly string[] {
  const parts = splitAtCommas(inside);
  if (parts.length === 1) return rangeOf(inside, most) ?? expandBraces(inside, most).map((one) => `{${one}}`);
  const alternatives = parts.flatMap((part) => expandBraces(part, most));
  checkCount(alternatives.length, most);
  return alternatives;
}

function splitAtCommas(inside: string): string[] {
  const parts = [''];
  let depth = 0;
  for (let i = 0; i < inside.length; i++) {
    const character = inside.charAt(i);
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character === '\\' ? character + inside.charAt(++i) : character;
  }
  return parts;
}

const RANGE = /^(?:(-?\d{1,15})\.\.(-?\d{1,15})|([A-Za-z])\.\.([A-Za-z]))$/;

/** Returns the elements of a range such as `1..9`, `08..12` or `a..e`. Undefined if the text is no range. */
function rangeOf(inside: string, most: number): readonly string[] | undefined {
  const [match, from = '', to = '', first = '', last = ''] = RANGE.exec(inside) ?? [];
  if (match === undefined) return undefined;
  const [start, end] = first === '' ? [Number(from), Number(to)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const step = start <= end ? 1 : -1;
  checkCount(Math.abs(end - start) + 1, most);
  const width = /^-?0\d|\.\.-?0\d/.test(inside) ? Math.max(from.length, to.length) : 0;
  return Array.from({ length: Math.abs(end - start) + 1 }, (_, i) => {
    const element = start + i * step;
    return first === '' ? String(element).padStart(width, '0') : String.fromCharCode(element);
  });
}
