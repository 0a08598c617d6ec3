import { describe, expect, it } from 'vitest';
import { memberText, readSpelledCase, spelledBody } from './spelled-case.ts';

describe('the request body of a recorded case', () => {
  it('keeps the original notation of numbers and the order of keys', () => {
    const object = '{ "kind":"Thing", "n":[1.0, 1e3,{"a":"}\\"]"}],"apiVersion":true }';
    const test = readSpelledCase(`{"id":"a","kind":"object","object" : ${object} ,"version":"v1"}`);
    expect(test?.['version']).toBe('v1');
    expect(spelledBody(test!)).toBe(object);
  });

  it('is the text of the definition if a definition is evaluated, and absent if patches change the definition', () => {
    expect(spelledBody(readSpelledCase('{"kind":"crdUpdate","object":{},"crd":{"a":1.0},"oldCrd":{"a":2}}')!)).toBe('{"a":1.0}');
    expect(spelledBody(readSpelledCase('{"kind":"crd","crd":{"a":1},"crdPatches":[]}')!)).toBeUndefined();
  });

  it('is absent for a case that already contains its bytes', () => {
    expect(spelledBody(readSpelledCase('{"kind":"object","raw":"{}","object":{}}')!)).toBeUndefined();
  });

  it('is read from members of every type; of a repeated key, the last one counts', () => {
    const text = '{"a":-1.5e3,"b":"x,}","c":[[],{}],"d":null ,"\\u0061":true}';
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => memberText(text, key))).toEqual(['true', '"x,}"', '[[],{}]', 'null', undefined]);
    expect(memberText('{}', 'a')).toBeUndefined();
    expect(memberText('{"n":7}', 'n')).toBe('7');
  });
});
