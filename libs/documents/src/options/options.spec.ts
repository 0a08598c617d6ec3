import { expect, it } from 'vitest';
import { defaultOptions } from './options.ts';
import { evaluationOptions } from './options-schema.ts';

it('the options of a request without options are the defaults of the schema', () => {
  expect(defaultOptions()).toStrictEqual(evaluationOptions.parse({}));
  expect(Object.keys(defaultOptions())).toEqual(Object.keys(evaluationOptions.parse({})));
});
