import { describe, expect, it } from 'vitest';
import { writeJson } from '../json/write-json.ts';
import { readYaml } from './read-yaml.ts';
import { yamlLines } from './yaml-line.ts';

function json(text: string): string {
  const reading = readYaml(text);
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
  ])('%j is %s', (text, expected) => {
    expect(json(text)).toBe(expected);
  });

  it('reports duplicate keys with their lines', () => {
    const reading = readYaml('a: 1\nb:\n  c: 1\n  c: 2\na: 3');
    expect(reading.ok && reading.duplicates).toEqual(['line 4: key "c" already set in map', 'line 5: key "a" already set in map']);
  });

  it('refuses aliases that multiply', () => {
    const level = (name: string, of: string): string => `${name}: &${name} [${Array<string>(10).fill(`*${of}`).join(',')}]\n`;
    const names = ['b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const text = `a: &a [${Array<string>(10).fill('x').join(',')}]\n${names.map((name, i) => level(name, ['a', ...names][i] as string)).join('')}`;
    expect(json(text)).toBe('yaml: document contains excessive aliasing');
  });

  it.each([
    ['a: b: c', 'yaml: line 1: mapping values are not allowed in this context'],
    ["a: 'x", 'yaml: line 1: found unexpected end of stream'],
    ['a: *b', "yaml: unknown anchor 'b' referenced"],
  ])('refuses %j in the words of go-yaml', (text, error) => {
    expect(json(text)).toBe(error);
  });
});

describe('lines of values in YAML', () => {
  it.each([
    [['a'], 2],
    [['b', 0, 'c'], 4],
    [['b', 1], 6],
    [['d', 'c'], 4],
    [['nope', 0], undefined],
    [['b', 'c'], undefined],
  ])('%j begins on line %s', (path, line) => {
    expect(yamlLines('---\na: 1\nb:\n  - &x {c: 2}\n  # more\n  - 3\nd: *x\n---\na: 2')(path)).toBe(line);
  });

  it('are unknown where there is no YAML', () => {
    expect(yamlLines('a: [')(['a'])).toBeUndefined();
  });
});
