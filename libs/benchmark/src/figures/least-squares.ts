/** Value, such as a cost or a time, that belongs to one size of the input. */
export interface SizedValue {
  readonly size: number;
  readonly value: number;
}

/**
 * Result of fitting a curve to values (such as costs) that were measured at several sizes of an input. The curve is a sum of terms, each a
 * function of the size. The fit minimizes the squares of the errors.
 */
export interface TermFit {
  /** Coefficients in the order of the terms, in the unit of the values. Each term is scaled so that it is 1 at the largest size. */
  readonly coefficients: readonly number[];
  /** Largest absolute distance of a value from the fit, in the unit of the values. */
  readonly residual: number;
}

/**
 * Fits a sum of terms, which are functions of the size, to values by least squares, and returns their coefficients. Returns undefined if
 * there are fewer points than terms, or if the points do not determine the coefficients uniquely. Each term is scaled by its value at the
 * last point, so that high powers stay precise enough.
 *
 * @param points Points in order of rising size.
 */
export function fitTerms(points: readonly SizedValue[], terms: readonly ((size: number) => number)[]): TermFit | undefined {
  const last = points.at(-1);
  if (last === undefined || points.length < terms.length) return undefined;
  const rows = points.map(({ size }) => terms.map((term) => term(size) / term(last.size)));
  const equations = terms.map((_, i) => [
    ...terms.map((_, j) => rows.reduce((sum, row) => sum + at(row, i) * at(row, j), 0)),
    rows.reduce((sum, row, point) => sum + at(row, i) * (points[point]?.value ?? 0), 0),
  ]);
  const coefficients = solve(equations);
  if (coefficients === undefined) return undefined;
  const residuals = rows.map((row, point) =>
    Math.abs((points[point]?.value ?? 0) - row.reduce((sum, term, i) => sum + term * at(coefficients, i), 0)),
  );
  return { coefficients, residual: Math.max(...residuals) };
}

/** Smallest pivot that is not treated as a rounding error, as a share of the largest number. */
const NO_PIVOT = 1e-13;

/**
 * Solves linear equations by elimination. Each equation is a row of factors, followed by the right side. Returns undefined if there is no
 * unique solution.
 */
function solve(equations: readonly (readonly number[])[]): number[] | undefined {
  const rows = equations.map((row) => [...row]);
  const count = rows.length;
  for (let column = 0; column < count; column++) {
    const pivot = rows.slice(column).reduce((best, row) => (Math.abs(at(row, column)) > Math.abs(at(best, column)) ? row : best));
    if (!(Math.abs(at(pivot, column)) > NO_PIVOT)) return undefined;
    rows.splice(rows.indexOf(pivot), 1);
    rows.splice(column, 0, pivot);
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = at(row, column) / at(pivot, column);
      for (let i = column; i <= count; i++) row[i] = at(row, i) - factor * at(pivot, i);
    }
  }
  return rows.map((row, i) => at(row, count) / at(row, i));
}

const at = (values: readonly number[], index: number): number => values[index] ?? 0;
