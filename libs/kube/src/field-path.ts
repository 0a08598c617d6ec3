/**
 * Path to a field, stored as a chain from the field to the root. It is converted to text only if an error contains it. `undefined` is the
 * nil path of the API server, which prints `<nil>`.
 *
 * Source: k8s.io/apimachinery/pkg/util/validation/field/path.go (1.37).
 */
export class FieldPath {
  readonly parent: FieldPath | undefined;
  /** Name of a child field, or the index or key that is shown in brackets. */
  readonly segment: string | number;
  readonly bracketed: boolean;

  constructor(parent: FieldPath | undefined, segment: string | number, notation: 'dotted' | 'bracketed') {
    this.parent = parent;
    this.segment = segment;
    this.bracketed = notation === 'bracketed';
  }

  toString(): string {
    const own = this.bracketed ? `[${this.segment}]` : String(this.segment);
    if (this.parent === undefined) return own;
    return this.bracketed || this.segment === '' ? `${this.parent.toString()}${own}` : `${this.parent.toString()}.${own}`;
  }
}

/**
 * Returns the path of a named child: `parent.name`, or `name` at the root. If several names are given, each names a child of the previous
 * field.
 */
export function childPath(parent: FieldPath | undefined, ...names: readonly string[]): FieldPath {
  let path = parent;
  for (let i = 0; i < names.length; i++) path = new FieldPath(path, names[i] as string, 'dotted');
  return path as FieldPath;
}

/** Returns the path of a list element: `parent[3]`. */
export function indexPath(parent: FieldPath | undefined, index: number): FieldPath {
  return new FieldPath(parent, index, 'bracketed');
}

/** Returns the path of a map entry: `parent[key]`. */
export function keyPath(parent: FieldPath | undefined, key: string): FieldPath {
  return new FieldPath(parent, key, 'bracketed');
}

/** Returns the text of a path as error messages show it, or `<nil>` if the path is undefined. */
export function pathText(path: FieldPath | undefined): string {
  return path === undefined ? '<nil>' : path.toString();
}
