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
])('the variable COLUMNS, or else the output, gives the width of a table: variables %j, output %j', (variables, output, width) => {
  expect(tableWidth(variables, output)).toBe(width);
});
