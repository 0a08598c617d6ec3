/** Output stream of the process. */
interface Output {
  /** Width of the terminal in characters. Undefined if the output is not a terminal. */
  readonly columns?: number | undefined;
}

/**
 * Returns the highest width of a table, in characters: the number in the environment variable `COLUMNS`, or the width of the terminal.
 * Returns undefined if neither is known, so that a table in a pipe or a file is whole.
 */
export function tableWidth(variables: NodeJS.ProcessEnv = process.env, output: Output = process.stdout): number | undefined {
  const { COLUMNS = '' } = variables;
  return /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : output.columns;
}
