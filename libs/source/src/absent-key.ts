import type { Finding } from './findings.ts';

/** Finds the expression, and the absent key that it reads, in a server's words. */
const ABSENT = /expression '([\s\S]*)' resulted in error: (?:.*: )?no such key: (.+)$/;

/** Returns a note for a policy that reads a field which is absent in the request; undefined for any other finding. */
export function absentKeyNote({ message, location }: Finding): Finding | undefined {
  const [, expression = '', key] = ABSENT.exec(message) ?? [];
  if (key === undefined) return undefined;
  const [read] = expression.match(/[A-Za-z_]\w*(?:\.\w+)+/g)?.flatMap((path) => beginningWith(path, key)) ?? [];
  const words =
    read === undefined
      ? `${key} is absent in this request: test for it before it is read, a field with has(), a key of a map with in`
      : `${read} is absent in this request: test it before it is read, such as !has(${read}) || …, or has(${read}) && …`;
  return { severity: 'note', message: words, ...(location && { location }) };
}

/** Returns the beginning of a path of fields that ends in a name; none where it does not have it. */
function beginningWith(path: string, name: string): readonly string[] {
  const steps = path.split('.');
  const at = steps.indexOf(name, 1);
  return at < 0 ? [] : [steps.slice(0, at + 1).join('.')];
}
