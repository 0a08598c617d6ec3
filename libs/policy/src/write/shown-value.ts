import { goQuote } from '#go';
import { goBadValue, structValue } from '#kube';
import { policyHas } from '../minors.ts';
import type { BadValueBox, Minor } from '#kube';

/**
 * Wraps a string of a named Go string type, such as an operation, as the bad value of a field error. The error message then prints the
 * string as the server does, which depends on the Kubernetes minor version.
 */
export function wordValue(word: string, minor: Minor): BadValueBox {
  return policyHas(minor, 'badValuesAreJson') ? structValue(word) : goBadValue(word, goQuote(word));
}

/**
 * Wraps a list of strings as the bad value of a field error, so that the error message prints it as the server does. `goType` is the Go
 * type of the elements.
 */
export function listValue(texts: readonly string[], goType: string, minor: Minor): BadValueBox {
  if (policyHas(minor, 'badValuesAreJson')) return structValue([...texts]);
  return goBadValue([...texts], `[]${goType}{${texts.map(goQuote).join(', ')}}`);
}
