import { expect, it } from 'vitest';
import { leadingType } from './leading-type.ts';

const typeOf = (text: string): unknown => leadingType(Buffer.from(text));

it.each([
  '{"apiVersion":"a.example.com/v1","kind":"Thing","spec":{}}',
  '\n{ "kind" : "Thing" ,\t"apiVersion":"a.example.com/v1"}',
  '{"apiVersion":"a.example.com/v1","kind":"Thing" no JSON',
])('leadingType() reads kind and apiVersion at the beginning of %j', (text) => {
  expect(typeOf(text)).toEqual({ apiVersion: 'a.example.com/v1', kind: 'Thing' });
});

it.each([
  '',
  '[]',
  '{}',
  '{"apiVersion":"v1"}',
  '{"apiVersion":"v1","apiVersion":"v1"}',
  '{"apiVersion":"v1","metadata":{},"kind":"Thing"}',
  '{"object":{"apiVersion":"v1","kind":"Thing"}}',
  '{"apiVersion":"v1","kind":7}',
  String.raw`{"apiVersion":"v1","kind":"Th\u0069ng"}`,
  '{"apiVersion":"v1","kind":""}',
  '{"apiVersion":"v1","kind":"Thing',
  '{"apiVersion" "v1"',
])('leadingType() leaves %j to the full parser', (text) => {
  expect(typeOf(text)).toBeUndefined();
});
