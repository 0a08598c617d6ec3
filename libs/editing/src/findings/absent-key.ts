import type { EditorFinding } from './findings.ts';

/** Pattern for a server's error message about an absent key. It captures the expression and the absent key that the expression reads. */
const ABSENT = /expression '([\s\S]*)' resulted in error: (?:.*: )?no such key: (.+)$/;

/** Returns true if a policy misspells a field: the type of the object does not declare the field. */
export type IsMisspelt = (policy: string, field: string) => boolean;

/** Pattern that captures the name of the policy in a message about a request. */
const POLICY = /ValidatingAdmissionPolicy '([^']*)'/;

/**
 * Returns a note that advises to test for an absent field, if `message` is a policy error about reading this field. Returns undefined for
 * any other finding, and for a field that the policy misspells, because no test helps there.
 */
export function absentKeyNote({ message, location }: EditorFinding, isMisspelt: IsMisspelt): EditorFinding | undefined {
  const [, expression = '', key] = ABSENT.exec(message) ?? [];
  if (key === undefined || isMisspelt(POLICY.exec(message)?.[1] ?? '', key)) return undefined;
  const [read] = expression.match(/[A-Za-z_]\w*(?:\.\w+)+/g)?.flatMap((path) => beginningWith(path, key)) ?? [];
  const words =
    read === undefined
      ? `${key} is absent in this request: test for it before it is read, a field with has(), a key of a map with in`
      : `${read} is absent in this request: test it before it is read, such as !has(${read}) || …, or has(${read}) && …`;
  return { severity: 'note', message: words, ...(location && { location }) };
}

/**
 * Returns a list with one element: the beginning of a field path, up to and including the step `name`. Returns an empty list if no step
 * after the first has this name.
 */
function beginningWith(path: string, name: string): readonly string[] {
  const steps = path.split('.');
  const at = steps.indexOf(name, 1);
  return at < 0 ? [] : [steps.slice(0, at + 1).join('.')];
}
