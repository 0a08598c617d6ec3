import { text, times } from './native-case.ts';
import type { NativeCase } from './native-case.ts';

/** Rule on many short texts, and a rule on one long text. */
const each = (overloads: readonly string[], test: string, one: (i: number) => string, count = 10_000): NativeCase => ({
  overloads,
  rule: `self.l.all(x, ${test})`,
  value: () => ({ l: times(count, one) }),
  data: 'many short',
});

const PATH = 'https://user@host.example.com:8080/';
const URL_PARTS = {
  url_get_scheme: "getScheme() != ''",
  url_get_host: "getHost() != ''",
  url_get_hostname: "getHostname() != ''",
  url_get_port: "getPort() != ''",
  url_get_escaped_path: "getEscapedPath() != ''",
  url_get_query: 'getQuery().size() >= 0',
} as const;

const urls: readonly NativeCase[] = [
  ...[
    ['ASCII', () => `${PATH}${text('path/')}`],
    ['escapes', () => `${PATH}${text('%41')}`],
    ['to escape', () => `${PATH}${text('é ', 300_000)}`],
    ['a bracket', () => `${PATH}${text('ab[]')}`],
  ].flatMap(([data, s]) => [
    { overloads: ['is_url_string'], rule: 'isURL(self.s)', value: () => ({ s: (s as () => string)() }), data: data as string },
    {
      overloads: ['string_to_url', 'url_get_escaped_path'],
      rule: "url(self.s).getEscapedPath() != ''",
      value: () => ({ s: (s as () => string)() }),
      data: data as string,
    },
  ]),
  ...Object.entries(URL_PARTS).map(([id, call]) => each([id, 'string_to_url'], `url(x).${call}`, (i) => `${PATH}path${i}/é?a=${i}&b=%41`)),
  {
    overloads: ['url_get_query'],
    rule: 'url(self.s).getQuery().size() > 0',
    value: () => ({ s: `${PATH}?${times(10_000, (i) => `k${i}=1`).join('&')}` }),
    data: 'many parameters',
  },
  {
    overloads: ['url_get_query'],
    rule: 'url(self.s).getQuery().size() > 0',
    value: () => ({ s: `${PATH}?a=${text('%41+')}` }),
    data: 'a long parameter',
  },
  {
    overloads: ['url_get_host'],
    rule: "url(self.s).getHost() != ''",
    value: () => ({ s: `https://${text('host.')}/` }),
    data: 'a long host',
  },
];

const DIGITS = () => text('9', 20_000);
const quantity = (id: string, call: string, s: () => string = DIGITS): NativeCase => ({
  overloads: [id],
  rule: `${call} in [true, false]`,
  value: () => ({ s: s(), t: `${s()}0` }),
  data: 'long',
});
const quantities: readonly NativeCase[] = [
  quantity('quantity_sign', 'sign(quantity(self.s)) >= 0'),
  { overloads: ['quantity_sign'], rule: 'sign(quantity(self.s)) >= 0', value: () => ({ s: `0.${DIGITS()}` }), data: 'long fraction' },
  quantity('is_quantity_string', 'isQuantity(self.s)'),
  quantity('quantity_is_greater_than', 'quantity(self.s).isGreaterThan(quantity(self.t))'),
  quantity('quantity_is_less_than', 'quantity(self.s).isLessThan(quantity(self.t))'),
  quantity('quantity_compare_to', 'quantity(self.s).compareTo(quantity(self.t)) <= 0'),
  quantity('quantity_get_float', 'quantity(self.s).asApproximateFloat() > 0.0'),
  quantity('quantity_get_int', '(quantity(self.s).asInteger() > 0 || true)'),
  quantity('quantity_is_integer', 'quantity(self.s).isInteger()'),
  quantity('quantity_add', 'sign(quantity(self.s).add(quantity(self.t))) > 0'),
  quantity('quantity_add_int', 'sign(quantity(self.s).add(5)) > 0'),
  quantity('quantity_sub', 'sign(quantity(self.s).sub(quantity(self.t))) < 0'),
  quantity('quantity_sub_int', 'sign(quantity(self.s).sub(5)) > 0'),
  each(['string_to_quantity', 'quantity_sign'], 'sign(quantity(x)) >= 0', (i) => `${i}.5Mi`),
  each(['is_quantity_string'], 'isQuantity(x)', (i) => `${i}m`),
  each(['quantity_add', 'quantity_compare_to'], 'quantity(x).add(quantity(x)).compareTo(quantity(x)) >= 0', (i) => `${i}Gi`),
];

const addresses: readonly NativeCase[] = [
  each(['is_ip'], 'isIP(x)', (i) => `10.0.${i >> 8}.${i & 255}`),
  { ...each(['is_ip'], 'isIP(x)', (i) => `2001:db8::${i.toString(16)}`), data: 'many of IPv6' },
  each(['string_to_ip'], 'ip(x).family() > 0', (i) => `2001:db8:1:2:3:4:5:${i.toString(16)}`),
  each(['ip_is_canonical'], 'ip.isCanonical(x) in [true, false]', (i) => `2001:db8:0:0:0:0:5:${i.toString(16)}`),
  each(['is_cidr'], 'isCIDR(x)', (i) => `10.${i >> 8}.${i & 255}.0/24`),
  each(['string_to_cidr'], 'cidr(x).prefixLength() > 0', (i) => `2001:db8:${i.toString(16)}::/64`),
  each(['cidr_contains_ip_string'], "cidr('10.0.0.0/8').containsIP(x)", (i) => `10.0.${i >> 8}.${i & 255}`),
  each(['cidr_contains_cidr_string'], "cidr('10.0.0.0/8').containsCIDR(x)", (i) => `10.${i >> 8}.${i & 255}.0/24`),
  { overloads: ['is_ip'], rule: '!isIP(self.s)', value: () => ({ s: text('1:') }), data: 'long' },
  { overloads: ['is_cidr'], rule: '!isCIDR(self.s)', value: () => ({ s: `1.1.1.1/${text('0')}` }), data: 'long' },
];

/** Texts for the named formats, which the text repeats. */
const FORMATS = {
  dns1123Label: 'a',
  dns1123Subdomain: 'ab.',
  dns1035Label: 'a',
  qualifiedName: 'ab-',
  dns1123LabelPrefix: 'a',
  dns1123SubdomainPrefix: 'ab.',
  dns1035LabelPrefix: 'a',
  labelValue: 'ab_',
  uri: 'http://a/',
  uuid: 'a-',
  byte: 'abcd',
  date: '2020-',
  datetime: '2020-01-01T',
} as const;

const formats: readonly NativeCase[] = [
  ...Object.entries(FORMATS).map(([name, part]) => ({
    overloads: ['format-validate'],
    rule: `format.${name}().validate(self.s).hasValue() in [true, false]`,
    value: () => ({ s: text(part) }),
    data: name,
  })),
  each(
    ['format-named', 'format-validate'],
    'format.named(x).value().validate(x).hasValue() in [true, false]',
    (i) => Object.keys(FORMATS)[i % 13] as string,
  ),
];

const version = (end: string) => () => `1.2.3-${text('a.1.', 100_000)}${end}`;
const versions: readonly NativeCase[] = [
  ...Object.entries({
    semver_is_greater_than: 'isGreaterThan(semver(self.t))',
    semver_is_less_than: 'isLessThan(semver(self.t))',
    semver_compare_to: 'compareTo(semver(self.t)) <= 0',
    semver_major: 'major() > 0',
    semver_minor: 'minor() > 0',
    semver_patch: 'patch() > 0',
  }).map(([id, call]) => ({
    overloads: [id, 'string_to_semver'],
    rule: `semver(self.s).${call} in [true, false]`,
    value: () => ({ s: version('a')(), t: version('b')() }),
    data: 'long',
  })),
  {
    overloads: ['string_bool_to_semver'],
    rule: 'semver(self.s, true).major() == 1',
    value: () => ({ s: `v${version('a')()}` }),
    data: 'long',
  },
  { overloads: ['is_semver_string'], rule: 'isSemver(self.s)', value: () => ({ s: version('a')() }), data: 'long' },
  { overloads: ['is_semver_string_bool'], rule: 'isSemver(self.s, true)', value: () => ({ s: `v${version('a')()}` }), data: 'long' },
  each(['string_to_semver', 'semver_compare_to'], 'semver(x).compareTo(semver(x)) == 0', (i) => `1.${i}.3-rc.${i}+build`),
];

/** Cases for the functions of Kubernetes' libraries. */
export const LIBRARY_CASES: readonly NativeCase[] = [...urls, ...quantities, ...addresses, ...formats, ...versions];
