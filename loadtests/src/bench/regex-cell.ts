import { compileRegex } from '#go';
import { isRegexEngine, REGEX_CASES, regexText } from './regex-cases.ts';
import type { RegexCase, RegexEngine } from './regex-cases.ts';

/** Times one engine on one pattern, in a process that can be ended: `RegExp` may never come back. Prints one JSON line per size. */
const [engine, name, sizes, milliseconds] = process.argv.slice(2);
const test = REGEX_CASES.find((candidate) => candidate.name === name);
if (!test || !sizes || !isRegexEngine(engine)) throw new Error('usage: regex-cell ENGINE CASE SIZES MILLISECONDS');
const finds = engine === 'find';
for (const size of sizes.split(',').map(Number)) {
  const text = regexText(test, finds ? 'found' : 'inVain', size);
  const apply = matcherOf(test, engine);
  let best = Number.POSITIVE_INFINITY;
  for (const until = performance.now() + Number(milliseconds); performance.now() < until || best === Number.POSITIVE_INFINITY;) {
    const started = performance.now();
    if (apply(text) !== finds) throw new Error(`${test.name}: the wrong answer`);
    best = Math.min(best, performance.now() - started);
  }
  process.stdout.write(`${JSON.stringify({ size, nsPerByte: (best * 1e6) / Buffer.byteLength(text) })}\n`);
}

function matcherOf({ pattern, native = pattern }: RegexCase, engine: RegexEngine): (text: string) => boolean {
  if (engine === 'RegExp') {
    const expression = new RegExp(native, 'u');
    return (text) => expression.test(text);
  }
  const compiled = compileRegex(pattern);
  if (!compiled.ok) throw new Error(compiled.error);
  const { regex } = compiled;
  return engine === 'test' ? (text) => regex.test(text) : (text) => regex.find(text) !== undefined;
}
