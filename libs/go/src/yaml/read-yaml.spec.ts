import { describe, expect, it } from 'vitest';
import { writeJson } from '../json/write-json.ts';
import { readFirstDocument, readYaml } from './read-yaml.ts';
import { yamlLines } from './yaml-node.ts';

function json(text: string): string {
  const reading = readFirstDocument(text);
  return reading.ok ? writeJson(reading.value) : reading.error;
}

describe('reading YAML as sigs.k8s.io/yaml does', () => {
  it.each([
    ['a: yes\nb: off\nc: "yes"', '{"a":true,"b":false,"c":"yes"}'],
    ['yes: 1', '{"true":1}'],
    ['a: 0o14\nb: 014\nc: 0x1F\nd: 1_000', '{"a":12,"b":12,"c":31,"d":1000}'],
    ['a: 1.0\nb: 1.5\nc: .5', '{"a":1,"b":1.5,"c":0.5}'],
    ['a: 2001-01-01', '{"a":"2001-01-01"}'],
    ['a: ~\nb:\nc: null', '{"a":null,"b":null,"c":null}'],
    ['1: a\n1.5: b', '{"1":"a","1.5":"b"}'],
    ['base: &b {x: 1, z: 2}\nuse:\n  <<: *b\n  z: 3', '{"base":{"x":1,"z":2},"use":{"x":1,"z":3}}'],
    ['a: |\n  x\n  y\nb: >-\n  x\n  y', '{"a":"x\\ny\\n","b":"x y"}'],
    ['a: 1\n---\nb: 2', '{"a":1}'],
    ['', 'null'],
    ['---\n---\na: 1', 'null'],
    // In these texts, a block scalar ends with the file, or a comment follows its header.
    ['a: |\n  x', '{"a":"x"}'],
    ['a: >+\n  x\n\n', '{"a":"x\\n\\n"}'],
    ['a: |2-\n    x\n   y\n', '{"a":"  x\\n y"}'],
    ['a: | # c\n  x\n', '{"a":"x\\n"}'],
    ['a: "v"# c\nb: [c]#d', '{"a":"v","b":["c"]}'],
    // These texts have the line ends CR, NEL, LS and PS.
    ['a: 1\rb: 2\u0085c: 3\u2028d: 4\u2029e: 5', '{"a":1,"b":2,"c":3,"d":4,"e":5}'],
    ['"a\u2028\n  b\n\n  c\\\n   d"', '"a\\u2028\\nb\\ncd"'],
    ['[a:, -, b :c, "d":e]', '["a:","-","b :c",{"d":"e"}]'],
    ['{a:, "b":c}', '{"a:":null,"b":"c"}'],
    // A flow collection without keys cannot become a key, so the rest is another document.
    ['{}: x', '{}'],
    ['[a]: x', 'yaml: invalid map key: []interface {}{"a"}'],
    ['!<tag:yaml.org,2002:int> 5', '5'],
    ['%TAG ! tag:yaml.org,2002:\n---\n!in%74 5', '5'],
    ['[y, YES, True, FALSE, False, off, ~, Null, yesno]', '[true,true,true,false,false,false,null,null,"yesno"]'],
    ['!!str, b', '"b"'],
    ['! <<: {a: 1}', '{"a":1}'],
    ['0b-11: 0x_1F\n1234567.5: 1e3', '{"-3":31,"1.2345675e+06":1000}'],
    [`${'a'.repeat(1024)}: 1`, `{"${'a'.repeat(1024)}":1}`],
    [`${'a'.repeat(1025)}: 1`, 'yaml: mapping values are not allowed in this context'],
    ['!!binary /w==', '"\ufffd"'],
    ['\ufeff\ufeffa: 1\nb: 2', 'yaml: line 1: did not find expected key'],
  ])('reads %j as %s', (text, expected) => {
    expect(json(text)).toBe(expected);
  });

  it('reports duplicate keys with their lines', () => {
    const reading = readYaml('a: 1\nb:\n  c: 1\n  c: 2\na: 3');
    expect(reading.ok && reading.duplicates).toEqual(['line 4: key "c" already set in map', 'line 5: key "a" already set in map']);
  });

  it.each([
    ['1: a\n"1": b', []],
    ['1: a\n1.0: b', []],
    ['1: a\n0x1: b', ['line 2: key 1 already set in map']],
    ['x: 1\n1.5: a\n1.50: b\nx: 2', ['line 3: key 1.5 already set in map', 'line 4: key "x" already set in map']],
    ['a: 1\n<<: {a: 2}', ['line 2: key "a" already set in map']],
  ])('distinguishes keys by type: %j', (text, duplicates) => {
    const reading = readYaml(text);
    expect(reading.ok && reading.duplicates).toEqual(duplicates);
  });

  it('rejects aliases that multiply nodes', () => {
    const level = (name: string, of: string): string => `${name}: &${name} [${Array<string>(10).fill(`*${of}`).join(',')}]\n`;
    const names = ['b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const text = `a: &a [${Array<string>(10).fill('x').join(',')}]\n${names.map((name, i) => level(name, ['a', ...names][i] as string)).join('')}`;
    expect(json(text)).toBe('yaml: document contains excessive aliasing');
  });

  it.each([
    // The scanner counts lines from 1 but omits line 1 in errors. The parser counts from 0.
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['a:\n  b: c: d', 'yaml: line 2: mapping values are not allowed in this context'],
    ["a: 'x", 'yaml: found unexpected end of stream'],
    ["a:\n  'x", 'yaml: line 2: found unexpected end of stream'],
    ['a: b\nc\nd: e', "yaml: line 3: could not find expected ':'"],
    ['a: 1\n\tb: 2', 'yaml: line 2: found a tab character that violates indentation'],
    ['\ta: 1', 'yaml: found character that cannot start any token'],
    ['a: @b', 'yaml: found character that cannot start any token'],
    ['a: |\n  \tx', 'yaml: line 2: found a tab character where an indentation space is expected'],
    ['a: |x', 'yaml: did not find expected comment or line break'],
    ['- a\nb: c', "yaml: line 1: did not find expected '-' indicator"],
    ['a: b\n- c', 'yaml: line 1: did not find expected key'],
    ['{a b', "yaml: line 1: did not find expected ',' or '}'"],
    ['[a b\n, [c', "yaml: line 2: did not find expected ',' or ']'"],
    ['"\\u12"', 'yaml: did not find expected hexdecimal number'],
    ['"\\ud83d\\udc51"', 'yaml: found invalid Unicode character escape code'],
    ['"\\/"', 'yaml: found unknown escape character'],
    ['%YAML 1.2\n---\na: 1', 'yaml: found incompatible YAML document'],
    ['%FOO\n---\na: 1', 'yaml: found unknown directive name'],
    ['!! a', 'yaml: did not find expected tag URI'],
    ['!x!y a', 'yaml: found undefined tag handle'],
    ['a: *b', "yaml: unknown anchor 'b' referenced"],
    ['a: &x {b: *x}', "yaml: anchor 'x' value contains itself"],
    ['<<: 1', 'yaml: map merge requires map or sequence of maps as the value'],
    ['!!int a', 'yaml: cannot decode !!str `a` as a !!int'],
    ['!!timestamp 2001-02-29', 'yaml: cannot decode !!str `2001-02-29` as a !!timestamp'],
    ['!!binary a', 'yaml: !!binary value contains invalid base64 data'],
    ['a: \u0081', 'yaml: control characters are not allowed'],
    ['{{ x }}', 'yaml: invalid map key: map[interface {}]interface {}{"x":interface {}(nil)}'],
    [
      '? [1, 2.5, yes, {~: "q"}]\n: x',
      'yaml: invalid map key: []interface {}{1, 2.5, true, map[interface {}]interface {}{interface {}(nil):"q"}}',
    ],
    ['~: {a: 1}', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: map[interface {}]interface {}{"a":1}'],
    ['18446744073709551615: ~', 'unsupported map key of type: uint64, key: 0xffffffffffffffff, value: <nil>'],
    ['a: [.nan, -.inf]', 'json: unsupported value: NaN'],
    ['['.repeat(10_001), 'yaml: exceeded max depth of 10000'],
  ])('rejects %j with the text of go-yaml', (text, error) => {
    expect(json(text)).toBe(error);
  });
});

describe('lines of YAML values', () => {
  const TEXT = '---\na: 1\nb:\n  - &x {c: 2}\n  # more\n  - 3\nd: *x\n---\na: 2';

  it.each([
    [['a'], 2],
    [['b', 0, 'c'], 4],
    [['b', 1], 6],
    [['d', 'c'], 4],
  ])('%j begins on line %s', (path, line) => {
    expect(yamlLines(TEXT)(path)).toBe(line);
  });

  it.each([[['nope', 0]], [['b', 'c']]])('%j is not in the text, and has no line', (path) => {
    expect(yamlLines(TEXT)(path)).toBeUndefined();
  });

  it('are unknown in JSON', () => {
    expect(yamlLines('a: [')(['a'])).toBeUndefined();
  });
});
