import { ListPart, ObjectPart } from './patch-node.ts';
import type { PatchNode, PatchPlace } from './patch-node.ts';

/**
 * Result of comparing two JSON nodes in a `test` operation of a JSON patch. `panics` means that the Go library dereferences a nil pointer
 * because a list item is null.
 */
export type Comparison = boolean | 'panics';

function equalPlaces(a: PatchPlace, b: PatchPlace): Comparison {
  return a === null || b === null ? 'panics' : equalNodes(a, b);
}

function equalMembers(a: ObjectPart, b: ObjectPart): Comparison {
  if ((a.members?.size ?? 0) !== (b.members?.size ?? 0)) return false;
  for (const [key, place] of a.members ?? []) {
    const other = b.members?.get(key);
    if (other === undefined || (place === null) !== (other === null)) return false;
    const equal = place === null || equalPlaces(place, other);
    if (equal !== true) return equal;
  }
  return true;
}

function equalItems(a: readonly PatchPlace[], b: readonly PatchPlace[]): Comparison {
  if (a.length !== b.length) return false;
  for (const [index, place] of a.entries()) {
    const equal = equalPlaces(place, b[index] ?? null);
    if (equal !== true) return equal;
  }
  return true;
}

/**
 * Compares two nodes as a `test` operation of a JSON patch does. Scalars are compared by their JSON text, so 1 differs from 1.5 but not
 * from 1.0. A null is treated as an empty object or list. Source: gopkg.in/evanphx/json-patch.v4 `lazyNode.equal` (4.13.0).
 */
export function equalNodes(a: PatchNode, b: PatchNode): Comparison {
  if (a.part === undefined && !a.tryObject() && !a.tryList()) return b.part === undefined && a.scalarText() === b.scalarText();
  if (a.part instanceof ObjectPart) {
    if (b.part === undefined && !b.tryObject()) return false;
    return b.part instanceof ObjectPart && equalMembers(a.part, b.part);
  }
  if (!(b.part instanceof ListPart) && !b.tryList()) return false;
  return a.part instanceof ListPart && b.part instanceof ListPart && equalItems(a.part.items, b.part.items);
}
