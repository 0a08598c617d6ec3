import { readGoString } from './go-string.ts';
import type { GoString } from './go-string.ts';

/** Rule in a marker comment of Go source. controller-gen copies the rule into the definition that it generates. */
export interface GoMarker {
  readonly rule: GoString;
  readonly messageExpression: GoString | undefined;
  readonly optionalOldSelf: boolean;
}

/**
 * Error in the arguments of a kubebuilder `XValidation` comment (marker) that prevents reading them, with its position in the Go source.
 */
export interface BrokenMarker {
  readonly problem: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Pattern of the start of a comment that declares a rule, up to the arguments. Source: sigs.k8s.io/controller-tools
 * pkg/crd/markers/validation.go `XValidation`.
 */
const MARKER = /^[ \t]*\/\/[ \t]*\+kubebuilder:validation:(?:items:)*XValidation:/gm;

/**
 * Returns the rules that the kubebuilder `XValidation` comments in Go source declare, in source order. For a comment that cannot be parsed,
 * the result contains a {@link BrokenMarker}.
 */
export function goMarkers(source: string): readonly (GoMarker | BrokenMarker)[] {
  return [...source.matchAll(MARKER)].map(({ index, 0: head }) => readArguments(source, index + head.length));
}

/**
 * Reads the arguments of a marker, such as `rule="…",message="…"`, in any order. Source: sigs.k8s.io/controller-tools pkg/markers/parse.go.
 */
function readArguments(source: string, start: number): GoMarker | BrokenMarker {
  const newline = source.indexOf('\n', start);
  const end = newline < 0 ? source.length : newline;
  const values = new Map<string, GoString | string>();
  for (let at = start; at < end;) {
    const [name, key] = /^\s*(\w+)\s*=\s*/.exec(source.slice(at, end)) ?? [];
    if (name === undefined || key === undefined) return { problem: 'an argument of the marker has no name: rule="…"', start: at, end };
    at += name.length;
    const isText = source[at] === '"' || source[at] === '`';
    const text = isText ? readGoString(source, at) : undefined;
    if (isText && text === undefined)
      return { problem: `the string of ${key} does not end, or has an escape that Go does not know`, start: at, end };
    const word = text === undefined ? (/^[^,\s]*/.exec(source.slice(at, end))?.[0] ?? '') : '';
    values.set(key, text ?? word);
    at = text?.end ?? at + word.length;
    const [separator = ''] = /^\s*,?/.exec(source.slice(at, end)) ?? [];
    at += separator.length;
    if (!separator.includes(',') && source.slice(at, end).trim() !== '')
      return { problem: `something stands behind the string of ${key}: quotes inside it are written as \\"`, start: at, end };
  }
  const rule = values.get('rule');
  const message = values.get('messageExpression');
  if (rule === undefined || typeof rule === 'string') return { problem: 'the marker has no rule: rule="…"', start, end };
  return {
    rule,
    messageExpression: typeof message === 'object' ? message : undefined,
    optionalOldSelf: values.get('optionalOldSelf') === 'true',
  };
}
