import { describe, expect, it } from 'vitest';
import { memberText, readSpelledCase, spelledBody } from './spelled-case.ts';

describe('the body of a case in its original notation', () => {
  it('keeps the notation of numbers and the order of keys', () => {
    const object = '{ "kind":"Thing", "n":[1.0, 1e3,{"a":"}\\"]"}],"apiVersion":true }';
    const test = readSpelledCase(`{"id":"a","kind":"object","object" : ${object} ,"version":"v1"}`);
    expect(test?.['version']).toBe('v1');
    expect(spelledBody(test!)).toBe(object);
  });

  it('is the definition if a definition is evaluated, unless patches change it', () => {
    expect(spelledBody(readSpelledCase('{"kind":"crdUpdate","object":{},"crd":{"a":1.0},"oldCrd":{"a":2}}')!)).toBe('{"a":1.0}');
    expect(spelledBody(readSpelledCase('{"kind":"crd","crd":{"a":1},"crdPatches":[]}')!)).toBeUndefined();
  });

  it('is sent as text if bytes matter', () => {
    expect(spelledBody(readSpelledCase('{"kind":"object","raw":"{}","object":{}}')!)).toBeUndefined();
  });

  it('contains members of every type, and the last one of a repeated key', () => {
    const text = '{"a":-1.5e3,"b":"x,}","c":[[],{}],"d":null ,"\\u0061":true}';
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => memberText(text, key))).toEqual(['true', '"x,}"', '[[],{}]', 'null', undefined]);
    expect(memberText('{}', 'a')).toBeUndefined();
    expect(memberText('{"n":7}', 'n')).toBe('7');
  });
});
