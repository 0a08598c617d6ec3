/**
 * Number that keeps its spelling, because bodies must contain numbers such as `1.0`, `1e3` and `9223372036854775808` exactly as spelled.
 */
export class Spelled {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON object that keeps its spelling: the order of its keys, and duplicate keys. */
export class Members {
  readonly entries: [string, Tree][];
  constructor(entries: [string, Tree][] = []) {
    this.entries = entries;
  }

  get(key: string): Tree | undefined {
    return this.entries.find(([name]) => name === key)?.[1];
  }

  set(key: string, value: Tree): this {
    const entry = this.entries.find(([name]) => name === key);
    if (entry) entry[1] = value;
    else this.entries.push([key, value]);
    return this;
  }

  delete(key: string): void {
    const index = this.entries.findIndex(([name]) => name === key);
    if (index >= 0) this.entries.splice(index, 1);
  }

  /** Returns the object that is the value of the member `key`. If the value is not an object, sets it to an empty object. */
  object(key: string): Members {
    const value = this.get(key);
    if (value instanceof Members) return value;
    const made = new Members();
    this.set(key, made);
    return made;
  }

  /**
   * Returns the list that is the value of the member `key`. If the value is not a list, returns an empty list that is not part of the
   * object.
   */
  list(key: string): Tree[] {
    const value = this.get(key);
    return Array.isArray(value) ? value : [];
  }
}

/** JSON value that keeps the spelling of its text. */
export type Tree = null | boolean | number | string | Spelled | Tree[] | Members;

/** JSON value that a generator writes as a TypeScript literal, with plain objects. */
export type Literal = Tree | readonly Literal[] | { readonly [key: string]: Literal | undefined };

/** Converts a literal to a tree. Undefined members are left out. */
function treeOf(literal: Literal): Tree {
  if (literal === null || typeof literal !== 'object' || literal instanceof Spelled) return literal;
  if (Array.isArray(literal)) return (literal as readonly Literal[]).map(treeOf);
  if (literal instanceof Members) return new Members(literal.entries.map(([key, value]) => [key, treeOf(value)]));
  const members = new Members();
  for (const [key, value] of Object.entries(literal)) if (value !== undefined) members.entries.push([key, treeOf(value)]);
  return members;
}

/** Converts an object literal to a tree. */
export function membersOf(literal: { readonly [key: string]: Literal | undefined }): Members {
  return treeOf(literal) as Members;
}

/** Returns a deep copy of a tree, which shares nothing with the original. */
export function cloneTree<T extends Tree>(tree: T): T {
  return treeOf(tree) as T;
}

/** Parses JSON text; numbers keep their spelling. Throws SyntaxError if the text is not JSON. */
export function readTree(text: string): Tree {
  const spell = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? new Spelled(context?.source ?? String(value)) : value;
  return treeOf(JSON.parse(text, spell) as Literal);
}

/** Returns a tree as JSON text in one line. */
export function writeTree(tree: Tree): string {
  if (tree instanceof Spelled) return tree.text;
  if (Array.isArray(tree)) return `[${tree.map(writeTree).join(',')}]`;
  if (tree instanceof Members) return `{${tree.entries.map(([key, value]) => `${JSON.stringify(key)}:${writeTree(value)}`).join(',')}}`;
  return JSON.stringify(tree);
}

/** Position of a value in a tree. */
export interface TreePosition {
  readonly path: readonly (string | number)[];
  readonly value: Tree;
  readonly replace: (value: Tree) => void;
  readonly remove: () => void;
  /** List or object that contains the value. */
  readonly container: Tree[] | Members;
}

/** Returns the positions of all values below the root, outer ones first. */
export function placesOf(root: Tree, path: readonly (string | number)[] = []): TreePosition[] {
  const places: TreePosition[] = [];
  const visit = (place: TreePosition): void => {
    places.push(place);
    // The loop avoids a spread, because a list may have more elements than a call allows arguments.
    for (const inner of placesOf(place.value, place.path)) places.push(inner);
  };
  if (Array.isArray(root)) {
    for (const [index, value] of root.entries()) {
      const replace = (other: Tree): void => void (root[index] = other);
      visit({ path: [...path, index], value, replace, remove: () => void root.splice(index, 1), container: root });
    }
  } else if (root instanceof Members) {
    for (const entry of root.entries) {
      const replace = (other: Tree): void => void (entry[1] = other);
      const remove = (): void => void root.entries.splice(root.entries.indexOf(entry), 1);
      visit({ path: [...path, entry[0]], value: entry[1], replace, remove, container: root });
    }
  }
  return places;
}
