import { entryCount } from '#go';
import { js } from '../code/javascript.ts';
import { INT_SHAPE } from '../code/shape.ts';
import { computed, proveObject } from '../code/site.ts';
import type { InlineCall, InlineReduction } from '../code/site.ts';
import { lengthInCode } from '../code/units.ts';
import { listContains, mapContains } from '../../values/equality.ts';
import { NO_SUCH_OVERLOAD, noSuchOverload } from '../../values/value.ts';
import { sizeOf } from '../../values/size.ts';
import { isTyped, wrongTypedKey } from '../../values/typed-view.ts';
import { isList, isMap } from '../../values/type-of.ts';
import { BOOL, BYTES, INT, listOf, mapOf, optionalOf, STRING, typeParameter } from '../../values/types/type.ts';
import { OPERATOR } from '../names.ts';
import type { FunctionDeclaration, Overload, PlainCall } from '../define.ts';
import { withContext } from '../define.ts';
import { bounded, globalOverload, linear, memberOverload } from '../overload.ts';
import { standardSize, estimateOf, measureOf, rounded } from '../price.ts';

const A = typeParameter('A');
const B = typeParameter('B');
const K = typeParameter('K');
const V = typeParameter('V');
const LIST = listOf(A);
const MAP = mapOf(A, B);

const LOOK_UP = bounded('k8s.io/apiserver/pkg/cel/common/valuesunstructured.go `Find`, `Get` (1.37)');

/**
 * Placeholder implementation that is never called, because the interpreter and the code generator plan indexing as a step in a chain of
 * selections.
 */
const PLANNED: PlainCall = () => NO_SUCH_OVERLOAD;

export const INDEX: FunctionDeclaration = {
  name: OPERATOR.index,
  library: 'standard',
  planned: 'index',
  doc: 'The element at an index of a list, or the value of a key of a map; an error if there is none.',
  examples: ['[1, 2, 3][1] == 2', ["{'key': 'value'}['key']", "'value'"]],
  guard: 'indexer',
  overloads: [
    globalOverload('index_list', [LIST, INT], A, { growth: LOOK_UP, call: PLANNED }),
    globalOverload('index_map', [MAP, A], B, { growth: LOOK_UP, call: PLANNED }),
    globalOverload('optional_list_index_int', [optionalOf(listOf(V)), INT], optionalOf(V), { since: 28, growth: LOOK_UP, call: PLANNED }),
    globalOverload('optional_map_index_value', [optionalOf(mapOf(K, V)), K], optionalOf(V), { since: 28, growth: LOOK_UP, call: PLANNED }),
  ],
};

const contains = withContext((context, value, container) => {
  const holder = container;
  if (isList(holder)) return listContains(context, holder, value);
  if (!isMap(holder)) return noSuchOverload(holder);
  return isTyped(holder) && typeof value !== 'string' ? wrongTypedKey(value, context.semantics) : mapContains(holder, value);
});

/**
 * Overload of `in` for membership in a list. If the list is already known when the expression is planned, a hash look-up replaces the call.
 */
export const IN_LIST: Overload = globalOverload('in_list', [A, LIST], BOOL, {
  estimate: estimateOf(rounded(standardSize(1))),
  measure: measureOf(standardSize(1)),
  growth: linear('k8s.io/apiserver/pkg/cel/common/valuesunstructured.go `Contains` (1.37)'),
  call: contains,
});

export const IN: FunctionDeclaration = {
  name: OPERATOR.in,
  library: 'standard',
  planned: 'in',
  doc: 'True if a list contains a value, or if a map contains a key.',
  examples: ['2 in [1, 2, 3]', "!('a' in ['b', 'c'])", "'key1' in {'key1': 'value1'}"],
  guard: 'any',
  overloads: [IN_LIST, globalOverload('in_map', [A, MAP], BOOL, { growth: LOOK_UP, call: contains })],
};

const size: PlainCall = (value) => sizeOf(value) ?? noSuchOverload(value);

const inlineSize: InlineCall = (site, [operand]) => {
  const { code, shape } = operand!;
  switch (shape.kind) {
    case 'string':
      return computed(site, INT_SHAPE, lengthInCode(site, operand!));
    case 'rawList':
    case 'intColumn':
    case 'textColumn':
    case 'array':
      return { code: js`${code}.length`, shape: INT_SHAPE };
    case 'rawMap':
    case 'rawObject':
      proveObject(site, operand!);
      return computed(site, INT_SHAPE, js`${site.constants.name(entryCount)}(${code})`);
    case 'value':
      return shape.type.kind === 'list' || shape.type.kind === 'map' ? { code: js`${code}.size`, shape: INT_SHAPE } : undefined;
    case 'bool':
    case 'counted':
    case 'double':
    case 'int':
    case 'optional':
      return undefined;
  }
};

/** Reduction that counts elements. It does not use the elements, but it tests each raw object that is not yet proven to be an object. */
const countElements: InlineReduction = (site, count) => ({
  take: (element) => proveObject(site, element),
  result: () => ({ code: count, shape: INT_SHAPE }),
});

const LENGTH = bounded('Go `len`, in `Size` of k8s.io/apiserver/pkg/cel/common/valuesunstructured.go (1.37)');
const COUNT = linear('cel-go common/types/string.go `Size` (v0.29.2)');

export const SIZE: FunctionDeclaration = {
  name: 'size',
  library: 'standard',
  doc: 'Number of bytes, of code points of a string, of elements of a list, or of entries of a map.',
  examples: ["size('hello') == 5", "b'123'.size() == 3", 'size([1, 2, 3]) == 3', "{'a': 1, 'b': 2}.size() == 2"],
  guard: 'sizer',
  overloads: [
    globalOverload('size_bytes', [BYTES], INT, { growth: LENGTH, call: size, inline: inlineSize }),
    memberOverload('bytes_size', [BYTES], INT, { growth: LENGTH, call: size, inline: inlineSize }),
    globalOverload('size_list', [LIST], INT, { growth: LENGTH, call: size, inline: inlineSize, reduce: countElements }),
    memberOverload('list_size', [LIST], INT, { growth: LENGTH, call: size, inline: inlineSize, reduce: countElements }),
    globalOverload('size_map', [MAP], INT, { growth: LENGTH, call: size, inline: inlineSize }),
    memberOverload('map_size', [MAP], INT, { growth: LENGTH, call: size, inline: inlineSize }),
    globalOverload('size_string', [STRING], INT, { growth: COUNT, call: size, inline: inlineSize }),
    memberOverload('string_size', [STRING], INT, { growth: COUNT, call: size, inline: inlineSize }),
  ],
};
