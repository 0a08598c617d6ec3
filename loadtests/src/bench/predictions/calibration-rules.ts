/** A rule that is measured over growing values. */
export interface CalibrationRule {
  readonly rule: string;
  /** Sizes of the values. */
  readonly sizes: readonly number[];
  /** Writes the value of `self`. */
  readonly value: (size: number) => unknown;
  /** Gives the schema of `self`. */
  readonly schema: (size: number) => object;
}

const list = (items: object): object => ({ type: 'array', items });
const map = (values: object): object => ({ type: 'object', additionalProperties: values });
const INT = { type: 'integer' };
const TEXT = { type: 'string' };

const objectOf = (properties: object): object => ({ type: 'object', properties });

/** The usual schema of `self`. */
const SCHEMA = objectOf({
  ints: list(INT),
  more: list(INT),
  texts: list(TEXT),
  objects: list(objectOf({ a: INT, b: INT, name: TEXT, tags: list(TEXT), inner: objectOf({ a: INT }) })),
  labels: map(TEXT),
  byName: map(objectOf({ a: INT, name: TEXT })),
  text: TEXT,
  n: INT,
  m: INT,
  inner: objectOf({ n: INT, text: TEXT, inner: objectOf({ n: INT }) }),
});

/** The schema of an object of so many properties; fields cost a server the more of these there are. */
const wideSchema = (size: number): object => {
  const more = Object.fromEntries(times(Math.max(0, size - 4), (i) => [`more${i}`, TEXT]));
  return objectOf({ n: INT, text: TEXT, missing: INT, inner: objectOf({ n: INT, ...more }), ...more });
};

const LENGTHS = [8, 32, 128, 512, 2048, 8192];
const SHORTER = [8, 32, 128, 512];
const WIDTHS = [8, 64, 512, 4096];
const PROPERTIES = [4, 8, 16, 32, 64, 128];
const NESTED = [4, 8, 16, 32, 64, 128];
const EACH = 64;

const times = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));
const word = (i: number): string => `a${String(i).padStart(7, '0')}`;
const wide = (i: number, width: number): string =>
  `${'abcdefgh-'.repeat(Math.ceil(width / 9)).slice(0, Math.max(0, width - 4))}${String(1000 + i)}`;
const ofInts = (n: number): object => ({ ints: times(n, (i) => i), n: -1 });
const ofTexts = (n: number): object => ({ texts: times(n, word), text: 'none' });
const ofObjects = (n: number): object => ({
  objects: times(n, (i) => ({ a: i, b: i + 1, name: word(i), tags: ['x', 'y'], inner: { a: i } })),
});
const ofLabels = (n: number): object => ({ labels: Object.fromEntries(times(n, (i) => [word(i), `value${i}`])), text: 'none' });
const ofNamed = (n: number): object => ({ byName: Object.fromEntries(times(n, (i) => [word(i), { a: i, name: word(i) }])) });
const ofWidths = (width: number): object => ({ texts: times(EACH, (i) => wide(i, width)), text: wide(0, width) });
const fields = (n: number): object => ({ n, m: n + 1, text: 'abcdefgh', inner: { n, text: 'abc', inner: { n } } });
const wideFields = (): object => ({ n: 1, text: 'abcdefgh', inner: { n: 1 } });
const each = (text: (i: number) => string) => (n: number) => ({ texts: times(n, text) });
const rules = (sizes: readonly number[], value: CalibrationRule['value'], ...texts: string[]): CalibrationRule[] =>
  texts.map((rule) => ({ rule, sizes, value, schema: () => SCHEMA }));

const joined = (term: (i: number) => string, count: number, operator = ' && '): string => times(count, term).join(operator);

/** The rules with which the model is calibrated. Those of its validation are others. */
export const CALIBRATION_RULES: readonly CalibrationRule[] = [
  rules(
    LENGTHS,
    ofInts,
    'self.ints.all(e, e >= 0)',
    '!self.ints.exists(e, e < 0)',
    'self.ints.exists_one(e, e == 3)',
    'self.ints.map(e, e * 2).size() > 0',
    'self.ints.filter(e, e % 2 == 0).size() > 0',
    'self.ints.all(e, e + 3 > self.n && e - 5 < 100000 && e * 2 >= 0)',
    'self.ints.all(e, e < 3 ? e >= 0 : e > self.n)',
    'self.ints.map(e, e > 5, e + 1).size() >= 0',
    '!(self.n in self.ints)',
    'self.ints.size() > 0',
    'self.ints.sum() >= 0',
    'self.ints.min() <= self.ints.max()',
    'self.ints.isSorted()',
    'self.ints.indexOf(-3) == -1',
    'self.ints.all(e, e in [1, 2, 3] || e != 7 || self.n < 0)',
    'self.ints == self.ints',
    'self.ints.all(e, self.ints[0] <= e)',
    'self.ints.all(e, [e, 1].size() == 2)',
  ),
  rules(
    NESTED,
    ofInts,
    'self.ints.all(a, self.ints.exists_one(b, a == b))',
    'self.ints.all(a, self.ints.all(b, a + b >= 0))',
    'self.ints.all(a, !self.ints.exists(b, b < 0 && a < b))',
    'self.ints.all(a, a in self.ints)',
    'self.ints.map(a, self.ints.filter(b, b > a).size()).sum() >= 0',
    'self.ints.all(a, self.ints.exists(b, b >= 0))',
  ),
  rules(
    LENGTHS,
    ofTexts,
    "self.texts.all(s, s.startsWith('a'))",
    "self.texts.all(s, s != 'b')",
    "self.texts.all(s, s.contains('0'))",
    "self.texts.all(s, s.endsWith('z') || s.size() < 20)",
    "self.texts.all(s, s <= 'b')",
    '!(self.text in self.texts)',
    "self.texts.all(s, !(s in ['x', 'y', 'z']))",
    "self.texts.join(',').size() > 0",
  ),
  rules(NESTED, ofTexts, 'self.texts.all(a, self.texts.exists_one(b, a == b))'),
  rules(
    LENGTHS,
    ofObjects,
    'self.objects.all(o, o.a < o.b)',
    'self.objects.all(o, has(o.name) && o.name.size() < 20)',
    'self.objects.all(o, !has(o.inner) || o.inner.a >= 0)',
    'self.objects.map(o, o.a).size() >= 0',
    "self.objects.filter(o, o.name == 'x').size() == 0",
    'self.objects.exists_one(o, o.a == 1)',
  ),
  rules(
    NESTED,
    ofObjects,
    'self.objects.all(o, self.objects.exists_one(p, o.name == p.name))',
    "self.objects.all(o, o.tags.all(t, t != 'z'))",
    "self.objects.all(o, 'x' in o.tags)",
    'self.objects.all(o, self.objects.exists(p, p.a >= 0))',
  ),
  rules(
    SHORTER.concat(2048),
    ofLabels,
    "self.labels.all(k, k.startsWith('a'))",
    "self.labels.all(k, self.labels[k] != 'x')",
    '!(self.text in self.labels)',
    'self.labels.size() > 0',
    'self.labels == self.labels',
  ),
  rules(
    SHORTER.concat(2048),
    ofNamed,
    'self.byName.all(k, self.byName[k].a >= 0)',
    "self.byName.exists(k, self.byName[k].name == 'x') == false",
  ),
  rules(
    [1, 2],
    fields,
    'self.n > 0',
    'self.n < self.m',
    'has(self.n) && has(self.m)',
    '!has(self.ints) || self.n > 0',
    'has(self.inner) ? self.inner.n > 0 : false',
    "self.text == 'abcdefgh' || self.n > 5",
    "self.text != 'b' && self.inner.text != 'c'",
    joined((i) => `self.n + ${i} > 0`, 8),
    joined((i) => `self.inner.inner.n != -${i + 1}`, 8),
    joined((i) => `has(self.inner.n) && self.m != -${i + 1}`, 8),
    `!(${joined((i) => `self.text == 'abcdefg${i}'`, 8, ' || ')})`,
    "self.text in ['abcdefgh', 'b', 'c']",
    "self.text.startsWith('abc')",
    'self.text.size() < 100',
    "self.?text.orValue('x') != 'y'",
    'self.?inner.?n.orValue(3) > 0',
    'self.?text.hasValue() && self.?inner.?text.optMap(t, t.size()).orValue(0) == 3',
    'optional.of(self.n).hasValue() && optional.none().orValue(1) == 1',
    '[self.n, self.m].all(x, x > 0)',
    '[has(self.n), has(self.m), has(self.inner)].exists_one(x, x) == false',
    '[has(self.n), has(self.ints)].filter(x, x == true).size() == 1',
    '{"a": self.n}.size() == 1',
    'type(self.n) == int',
  ),
  rules(
    PROPERTIES,
    wideFields,
    'self.n > 0',
    'has(self.n)',
    '!has(self.missing)',
    'has(self.inner) && self.inner.n > 0',
    '!has(self.missing) || self.n > 0 || self.missing < 3',
    "self.text.startsWith('abc') || self.text == ''",
    joined((i) => `self.n != -${i + 1}`, 6),
    joined((i) => `has(self.inner.n) && self.inner.n != -${i + 1}`, 3),
    "self.?missing.orValue(3) == 3 && self.?text.orValue('x') != 'y'",
  ).map((rule) => ({ ...rule, schema: wideSchema })),
  rules([8, 64, 512], (width) => wide(0, width), "self.startsWith('abc')", "self != 'b'", "!self.contains('*')", 'self.size() > 3').map(
    (rule) => ({ ...rule, schema: () => TEXT }),
  ),
  rules([1, 2], (n) => n, 'self > 0', 'self > 0 && self < 100').map((rule) => ({ ...rule, schema: () => INT })),
  rules(
    WIDTHS,
    ofWidths,
    "self.texts.all(s, !s.contains('zz'))",
    "self.texts.all(s, s.startsWith('abc') || s != '')",
    `self.texts.all(s, !s.endsWith('${'abcdefgh-'.repeat(40)}'))`,
    'self.texts.all(s, s.size() > 3)',
    'self.texts.all(s, s == s)',
    'self.texts.all(s, s <= self.text || s > self.text)',
    "self.texts.all(s, s.indexOf('zz') == -1)",
    "self.texts.all(s, s.lastIndexOf('zz') == -1)",
    "self.texts.all(s, s.split('-').size() > 0)",
    "self.texts.all(s, s.replace('-', '_') != '')",
    "self.texts.all(s, s.lowerAscii() != '')",
    "self.texts.all(s, s.upperAscii() != '')",
    "self.texts.all(s, s.trim() != '')",
    "self.texts.all(s, s.substring(2) != '' && s.substring(0, 3) != '')",
    "self.texts.all(s, s.charAt(1) != '')",
    "self.texts.all(s, s + 'x' != '')",
    "self.texts.all(s, (s + '/' + self.text).size() > 3)",
    "self.texts.all(s, [s, 'x'].join('/') != '')",
    "self.texts.all(s, 'value %s of %d'.format([s, 3]) != '')",
    "self.texts.join(',').size() > 0",
    "self.texts.all(s, s.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'))",
    "self.texts.all(s, s.matches('^[a-z0-9-]+$'))",
    "self.texts.all(s, s.matches('^([a-z0-9]+(-[a-z0-9]+)*)$'))",
    "self.texts.all(s, !s.matches('^[A-Z].*$'))",
    "self.texts.all(s, s.find('[0-9]+') != '')",
    "self.texts.all(s, s.findAll('[a-z]+').size() > 0)",
    'self.texts.all(s, !format.dns1123Label().validate(s).hasValue() || true)',
  ),
  rules(
    SHORTER,
    each((i) => `10.0.${i % 250}.${i % 200}`),
    'self.texts.all(s, isIP(s))',
    'self.texts.all(s, ip(s).family() == 4)',
    "self.texts.all(s, cidr('10.0.0.0/8').containsIP(s))",
    "self.texts.all(s, cidr('10.0.0.0/8').containsIP(ip(s)))",
    'self.texts.all(s, !ip(s).isLoopback() && !ip(s).isUnspecified())',
  ),
  rules(
    SHORTER,
    each((i) => `10.${i % 250}.0.0/16`),
    'self.texts.all(s, isCIDR(s))',
    'self.texts.all(s, cidr(s).prefixLength() == 16)',
    "self.texts.all(s, cidr('10.0.0.0/8').containsCIDR(s))",
    'self.texts.all(s, cidr(s).masked() == cidr(s))',
  ),
  rules(
    SHORTER,
    each((i) => `${100 + i}Mi`),
    'self.texts.all(s, isQuantity(s))',
    "self.texts.all(s, quantity(s).isGreaterThan(quantity('1Mi')))",
    "self.texts.all(s, quantity(s).compareTo(quantity('1Mi')) > 0)",
    'self.texts.all(s, quantity(s).isInteger() && quantity(s).asInteger() > 0)',
    "self.texts.all(s, quantity(s).add(quantity('1Mi')).isGreaterThan(quantity('1')) && !quantity(s).isLessThan(quantity('1')))",
  ),
  rules(
    SHORTER,
    each((i) => `https://host${i}.example.com:8080/path/${i}?a=b`),
    'self.texts.all(s, isURL(s))',
    "self.texts.all(s, url(s).getHost() != '')",
    "self.texts.all(s, url(s).getScheme() == 'https' && url(s).getHostname() != '' && url(s).getPort() != '' && url(s).getEscapedPath() != '')",
    'self.texts.all(s, url(s).getQuery().size() > 0)',
  ),
  rules(
    [64, 256, 1024],
    (width) => ({ texts: times(EACH, (i) => `https://host${i}.example.com/${'path/'.repeat(width / 4)}`) }),
    "self.texts.all(s, url(s).getScheme() == 'https')",
  ),
  rules(
    [8, 64, 512, 4096],
    (width) => ({ texts: times(EACH, (i) => `1.${'2'.repeat(width)}${i}`) }),
    'self.texts.all(s, !isIP(s))',
    'self.texts.all(s, !isCIDR(s))',
    'self.texts.all(s, isQuantity(s))',
  ),
  rules(
    SHORTER,
    each((i) => `1.${i}.3`),
    'self.texts.all(s, isSemver(s))',
    "self.texts.all(s, semver(s).isLessThan(semver('2.0.0')) && semver(s).major() == 1)",
  ),
  rules(
    SHORTER,
    each((i) => `${i + 1}m30s`),
    "self.texts.all(s, duration(s) > duration('10s'))",
    'self.texts.all(s, duration(s).getSeconds() > 0)',
  ),
  rules(
    SHORTER,
    each((i) => `2024-01-${String(10 + (i % 20))}T10:00:00Z`),
    "self.texts.all(s, timestamp(s) > timestamp('2020-01-01T00:00:00Z'))",
  ),
  rules(
    SHORTER,
    each((i) => String(1000 + i)),
    'self.texts.all(s, int(s) > 0)',
  ),
  rules(
    SHORTER,
    ofInts,
    "self.ints.all(e, string(e) != '')",
    'self.ints.all(e, double(e) >= 0.0)',
    'self.ints.sort().size() > 0',
    'self.ints.slice(1, 3).size() == 2',
    'self.ints.reverse().size() > 0',
  ),
  rules(
    SHORTER,
    each((i) => `name-${i}`),
    'self.texts.all(s, !format.dns1123Label().validate(s).hasValue())',
    'self.texts.all(s, !format.dns1123Subdomain().validate(s).hasValue())',
    'self.texts.all(s, !format.named("qualifiedName").value().validate(s).hasValue())',
    'self.texts.all(s, !format.labelValue().validate(s).hasValue())',
    'self.texts.distinct().size() > 0',
  ),
  rules(
    [4, 8, 16, 32, 64, 128],
    (n) => ({ ints: times(n, (i) => i), more: times(n, (i) => n - 1 - i) }),
    'sets.contains(self.ints, self.more)',
    'sets.equivalent(self.ints, self.more)',
    'sets.intersects(self.ints, self.more)',
    '(self.ints + self.more).size() > 0',
    'self.ints.all(e, e in (self.ints + self.more))',
  ),
].flat();
