import { expect, it } from 'vitest';
import { tableWidth } from './fitted-table.ts';

it.each([
  [{ COLUMNS: '120' }, { columns: 80 }, 120],
  [{ COLUMNS: '120' }, {}, 120],
  [{}, { columns: 200 }, 200],
  [{}, {}, undefined],
  [{ COLUMNS: '0' }, { columns: 80 }, 80],
  [{ COLUMNS: 'wide' }, {}, undefined],
  [{ COLUMNS: '' }, {}, undefined],
])('the width of a table, with the variables %j and the output %j: %s', (variables, output, width) => {
  expect(tableWidth(variables, output)).toBe(width);
});
