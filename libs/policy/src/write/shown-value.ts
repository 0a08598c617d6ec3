import { goQuote } from '#go';
import { goBadValue, structValue } from '#kube';
import { policyHas } from '../minors.ts';
import type { BadValueBox, Minor } from '#kube';

/** Returns the form in which a field error shows a value of a named Go string type, such as an operation. */
export function wordValue(word: string, minor: Minor): BadValueBox {
  return policyHas(minor, 'badValuesAreJson') ? structValue(word) : goBadValue(word, goQuote(word));
}

/** Returns the form in which a field error shows a list of strings. `goType` is the Go type of the elements. */
export function listValue(texts: readonly string[], goType: string, minor: Minor): BadValueBox {
  if (policyHas(minor, 'badValuesAreJson')) return structValue([...texts]);
  return goBadValue([...texts], `[]${goType}{${texts.map(goQuote).join(', ')}}`);
}
