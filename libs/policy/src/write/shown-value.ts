import { goQuote } from '#go';
import { goBadValue, structValue } from '#kube';
import { policyHas } from '../minors.ts';
import type { BadValueBox, Minor } from '#kube';

/** Returns a value of a named Go string type, such as an operation, in the form in which a field error shows it. */
export function wordValue(word: string, minor: Minor): BadValueBox {
  return policyHas(minor, 'badValuesAreJson') ? structValue(word) : goBadValue(word, goQuote(word));
}

/** Returns a list of strings in the form in which a field error shows it. `goType` is the Go type of an element. */
export function listValue(texts: readonly string[], goType: string, minor: Minor): BadValueBox {
  if (policyHas(minor, 'badValuesAreJson')) return structValue([...texts]);
  return goBadValue([...texts], `[]${goType}{${texts.map(goQuote).join(', ')}}`);
}
