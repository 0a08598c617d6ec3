import { describeRuneError, describeSyntaxError } from '#go';
import { kubeHas } from './minors.ts';
import type { Minor } from './minors.ts';

/**
 * Returns the error of a server that looks for the apiVersion and kind of a JSON document and finds the error `problem`. Source:
 * k8s.io/apimachinery/pkg/runtime/serializer/json/meta.go `Interpret` (1.37).
 */
export function uninterpreted(problem: string): string {
  return `couldn't get version/kind; json parse error: ${problem}`;
}

/**
 * Returns the error of a server that looks for the apiVersion and kind of a document that is no JSON. The bytes must be known to be invalid
 * JSON.
 */
export function invalidJson(bytes: Uint8Array, minor: Minor): string {
  return uninterpreted(kubeHas(minor, 'jsonErrorsShowRunes') ? describeRuneError(bytes) : describeSyntaxError(bytes));
}

/**
 * Returns the error of a server that looks for the apiVersion and kind of a YAML document that nests too deep. `problem` is the error of
 * Go's older encoding/json about the JSON of the document.
 */
export function nestedTooDeep(problem: string, minor: Minor): string {
  return uninterpreted(kubeHas(minor, 'jsonErrorsShowRunes') ? 'exceeded max depth' : problem);
}
