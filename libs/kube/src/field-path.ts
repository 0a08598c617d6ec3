/**
 * A path to a field, built from the root outwards and rendered only when an error needs it. `undefined` means upstream's nil path, which prints `<nil>`.
 *
 * Source: k8s.io/apimachinery/pkg/util/validation/field/path.go (1.37).
 */
export class FieldPath {
  readonly parent: FieldPath | undefined;
  /** Name of a child field, or the text between brackets. */
  readonly segment: string | number;
  readonly bracketed: boolean;

  constructor(parent: FieldPath | undefined, segment: string | number, bracketed: boolean) {
    this.parent = parent;
    this.segment = segment;
    this.bracketed = bracketed;
  }

  toString(): string {
    const own = this.bracketed ? `[${this.segment}]` : String(this.segment);
    if (this.parent === undefined) return own;
    return this.bracketed || this.segment === '' ? `${this.parent.toString()}${own}` : `${this.parent.toString()}.${own}`;
  }
}

/** Returns the path of a named child: `parent.name`, or `name` at the root. With several names, each is a child of the one before. */
export function childPath(parent: FieldPath | undefined, ...names: readonly string[]): FieldPath {
  let path = parent;
  for (let i = 0; i < names.length; i++) path = new FieldPath(path, names[i] as string, false);
  return path as FieldPath;
}

/** Returns the path of a list element: `parent[3]`. */
export function indexPath(parent: FieldPath | undefined, index: number): FieldPath {
  return new FieldPath(parent, index, true);
}

/** Returns the path of a map entry: `parent[key]`. */
export function keyPath(parent: FieldPath | undefined, key: string): FieldPath {
  return new FieldPath(parent, key, true);
}

/** Returns the text of a path as errors show it; `<nil>` for none. */
export function pathText(path: FieldPath | undefined): string {
  return path === undefined ? '<nil>' : path.toString();
}
