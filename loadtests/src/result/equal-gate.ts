import type { Gate } from './summary.ts';

/** A gate that holds when what was seen is what was expected. */
export function equalGate(name: string, measure: Gate['measure'], expected: string | number, actual: string | number): Gate {
  return { name, measure, expected: String(expected), actual: String(actual), holds: String(expected) === String(actual) };
}
