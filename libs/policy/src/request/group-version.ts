/** Kind of API objects, identified by group, version and name. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Resource of the API, identified by group, version and plural name. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** Returns the apiVersion of a group and version, for example `apps/v1`, or `v1` in the core group. */
export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Returns the text that Go prints for a kind: `apps/v1, Kind=Deployment`. */
export function kindText(kind: GroupVersionKind): string {
  return `${kind.group}/${kind.version}, Kind=${kind.kind}`;
}

/** Returns true if two resources have the same group, version and plural name. */
export function isSameResource(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return a.resource === b.resource && a.group === b.group && a.version === b.version;
}
