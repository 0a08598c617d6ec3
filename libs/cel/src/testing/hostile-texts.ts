import { seededCongruence } from '../../../../testing/seeded-random.ts';
import { RandomExpressions } from './random-expressions.ts';

/** Rules that are typical of real definitions. The generator changes them, and random expressions, into hostile texts. */
const RULES: readonly string[] = [
  "!has(self.o) || self.o.i > 0 && self.s.startsWith('a')",
  "self.os.all(x, self.os.exists_one(y, x.s == y.s)) && size(self.ss.filter(s, s.matches('^[a-z]+$'))) <= 10",
  "self == oldSelf || (has(self.m) ? self.m.all(k, k in ['a', 'b', \"c\\n\"]) : true)",
  "self.?o.?s.orValue('x') != r'raw\\d' && b'\\xff' == bytes(self.s) && self.i % 2 == -1 || 1u < 2u",
  "{'a': 1, ?'b': self.?i}[?'a'].hasValue() && [1, ?self.?j].map(x, x > 0, x * 2).sum() >= 0x1F",
  'self.os.map(o, o.s).sortBy(s, s).isSorted() && self.m.transformMap(k, v, v + 1).all(k, v, v > 0) // comment',
  "duration('1h') < timestamp('2024-01-01T00:00:00Z') - timestamp(0) && self.d > 1.5e-3 && self.`a-b` == null",
  "quantity('1Gi').isLessThan(quantity('2Gi')) && ip('::1').isLoopback() && '%s'.format([self.s]) == '''a'''",
];

const TOKENS: readonly string[] = (
  '( ) [ ] { } . , : ? ?. [? ! - + * / % < <= > >= == != && || in true false null self oldSelf has all exists map filter exists_one x y ' +
  "i s m o os is 0 1 -1 9223372036854775807 9223372036854775808 18446744073709551616u 0x 0xFF 1e400 1.5 .5 1. 1e 1u 'a' \"b\" ''' \"\"\" r'\\' b'\\xff' " +
  "'\\u00' '\\U0010FFFF' '\\ud800' '\\x' '\\777' ` `a-b` // @ @result __result__ $ # \\ ~ ^ | & = => ; as break const for if import let loop namespace " +
  'return var void while google.protobuf.Int32Value{} type int string dyn optional.of optMap optFlatMap transformMap transformMapEntry sortBy cel.bind ' +
  "matches('(') matches('a{1000}{1000}') format sets.contains lists.range(1000001) .a .b() ..a self.self.self"
).split(' ');

const DEEP: readonly ((n: number) => string)[] = [
  (n) => '('.repeat(n) + '1' + ')'.repeat(n),
  (n) => '['.repeat(n) + ']'.repeat(n),
  (n) => '('.repeat(n),
  (n) => '{1:'.repeat(n) + '1' + '}'.repeat(n),
  (n) => '!'.repeat(n) + 'true',
  (n) => '-'.repeat(n) + 'self.i',
  (n) => '!-'.repeat(n) + 'self.i',
  (n) => 'self' + '.o'.repeat(n),
  (n) => 'self' + '[0]'.repeat(n),
  (n) => 'self' + '.?o'.repeat(n),
  (n) => 'true ? 1 : '.repeat(n) + '1',
  (n) => 'true ? '.repeat(n) + '1' + ' : 2'.repeat(n),
  (n) => Array.from({ length: n }, () => 'self.b').join(' && '),
  (n) => Array.from({ length: n }, () => 'self.b').join(' || '),
  (n) => Array.from({ length: n }, (_, i) => String(i)).join(' + '),
  (n) => Array.from({ length: n }, () => '1').join(' < '),
  (n) => `[${Array.from({ length: n }, (_, i) => i).join(', ')}]`,
  (n) => `{${Array.from({ length: n }, (_, i) => `${i}: ${i}`).join(', ')}}`,
  (n) => 'size('.repeat(n) + 'self.s' + ')'.repeat(n),
  (n) => 'dyn('.repeat(n) + 'self.s' + ')'.repeat(n),
  (n) => 'self.is.all(x, '.repeat(n) + 'true' + ')'.repeat(n),
  (n) => 'self.is' + '.map(x, x)'.repeat(n),
  (n) => 'self.is' + '.sortBy(x, x)'.repeat(n),
  (n) => 'self.?i' + '.optMap(x, x)'.repeat(n),
  (n) => '[1].map(x, [x].map(y, '.repeat(n) + '1' + '))'.repeat(n),
  (n) => 'self.s.f('.repeat(n),
  (n) => '"'.repeat(n),
  (n) => '//'.repeat(n),
  (n) => '\n'.repeat(n) + '@',
  (n) => '` '.repeat(n),
];

const HUGE: readonly ((n: number) => string)[] = [
  (n) => `self.s == '${'a'.repeat(n)}'`,
  (n) => `self.s == '${'\\n'.repeat(n)}'`,
  (n) => `self.s == '${'👑'.repeat(n)}`,
  (n) => `self.i < ${'9'.repeat(n)}`,
  (n) => `self.i < 0x${'f'.repeat(n)}`,
  (n) => `self.d < 0.${'3'.repeat(n)}e${n}`,
  (n) => `b'${'\\xff'.repeat(n)}' == b''`,
  (n) => 'a'.repeat(n),
  (n) => `self.s.matches('${'(a|b)*'.repeat(n)}')`,
  (n) => `self.s.matches('${'('.repeat(n)}a${')'.repeat(n)}')`,
  (n) => `self.s.matches('(a{1,${n % 1000}}){1,${n % 900}}')`,
  (n) => `timestamp('${'2'.repeat(n)}') == timestamp(0)`,
  (n) => `duration('${'1h'.repeat(n)}') == duration('1s')`,
  (n) => `'${'%s'.repeat(n)}'.format([])`,
  (n) => `quantity('${'1'.repeat(n)}') == quantity('1')`,
  (n) => ' '.repeat(n) + '1 +',
];

/** Generator of texts that are invalid or barely valid as expressions. Equal seeds yield equal texts. */
export class HostileTexts {
  readonly #random: () => number;
  readonly #expressions: RandomExpressions;

  constructor(seed: number) {
    this.#random = seededCongruence(seed);
    this.#expressions = new RandomExpressions(seed + 1);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)]!;
  }

  next(): string {
    const kind = this.#below(1000);
    if (kind < 450) return this.#mutated();
    if (kind < 750) return Array.from({ length: 1 + this.#below(25) }, () => this.#pick(TOKENS)).join(this.#pick(['', ' ', ' ', '\n']));
    if (kind < 960) return this.#characters();
    return this.#pick(kind < 985 ? DEEP : HUGE)(this.#size());
  }

  /** Returns a random size. It is usually small, and sometimes exceeds the limits of upstream's parser: 250 levels, 100,000 code points. */
  #size(): number {
    const dice = this.#random();
    if (dice < 0.7) return 1 + this.#below(60);
    return dice < 0.97 ? 200 + this.#below(120) : this.#below(20_000);
  }

  #characters(): string {
    const units = this.#pick([0x80, 0x80, 0x100, 0x1_0000]);
    return Array.from({ length: 1 + this.#below(60) }, () => String.fromCharCode(this.#below(units))).join('');
  }

  #mutated(): string {
    let text =
      this.#random() < 0.4
        ? this.#pick(RULES)
        : this.#expressions.of(this.#pick(['bool', 'int', 'dyn', 'strings', 'map'] as const), 1 + this.#below(4));
    for (let n = 1 + this.#below(3); n > 0; n--) text = this.#mutation(text);
    return text;
  }

  #mutation(text: string): string {
    const at = this.#below(text.length + 1);
    const end = Math.min(text.length, at + 1 + this.#below(8));
    switch (this.#below(6)) {
      case 0:
        return text.slice(0, at) + text.slice(end);
      case 1:
        return text.slice(0, end) + text.slice(at);
      case 2:
        return text.slice(0, at) + this.#pick(TOKENS) + text.slice(at);
      case 3:
        return text.slice(0, at) + this.#pick(TOKENS) + text.slice(end);
      case 4:
        return text.slice(0, at) + this.#characters().slice(0, 3) + text.slice(end);
      default:
        return text.slice(0, at);
    }
  }
}
