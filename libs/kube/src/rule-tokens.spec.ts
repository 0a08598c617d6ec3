import { expect, it } from 'vitest';
import { ruleTokens } from './rule-tokens.ts';

it.each([
  ['self.a>1&&self.b', ' self . a > 1\n\t&& self.b // why'],
  ["self == 'a b'", "self=='a b'"],
  ["x.matches(r'\\') && y", "x.matches( r'\\' )&&y"],
  ['"""a\n b""" in x', '"""a\n b"""   in x'],
])('ruleTokens() finds the same tokens in %s and %s', (one, other) => {
  expect(ruleTokens(one)).toBe(ruleTokens(other));
});

it.each([
  ["self == 'a b'", "self == 'ab'"],
  ["self == 'a // b'", "self == 'a'"],
  ["self == r'\\n x'", "self == r'\\nx'"],
  ['self == "a\\" b"', 'self == "a\\"b"'],
  ['x in y', 'xiny'],
  ["'''a  b'''", "'''a b'''"],
])('ruleTokens() finds different tokens in %s and %s', (one, other) => {
  expect(ruleTokens(one)).not.toBe(ruleTokens(other));
});

const OPEN = ['"\\', "'''\\", 'r"""', '"""', '// ', "b'"];

it.each(OPEN)('ruleTokens() reads each character of %j only once', (part) => {
  const begun = performance.now();
  ruleTokens(part.repeat(65_536 / part.length));
  expect(performance.now() - begun).toBeLessThan(1000);
});
