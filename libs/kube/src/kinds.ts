import { latin1Text } from '#go';
import type { JsonValue } from '#go';

/** Returns the group of an apiVersion: the text before its slash. The result is empty for the core group. */
export const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

/** Returns the version of an apiVersion: the text after its slash. For the core group it is the whole text. */
export const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

/** Kind and group of CompositeResourceDefinitions (XRDs) of Crossplane. */
export const COMPOSITE_KIND = { group: 'apiextensions.crossplane.io', kind: 'CompositeResourceDefinition' } as const;

/**
 * UID of the owner in a definition that Assay made of an XRD. Only a cluster knows the UID of an XRD. The zero UID marks the definition,
 * because no cluster gives this UID.
 */
export const UNKNOWN_OWNER_UID = '00000000-0000-0000-0000-000000000000';

/** Returns true if a type is that of Crossplane's CompositeResourceDefinition, in any version. */
export const isCompositeDefinition = (apiVersion: JsonValue | undefined, kind: JsonValue | undefined): boolean =>
  kind === COMPOSITE_KIND.kind && typeof apiVersion === 'string' && groupOf(apiVersion) === COMPOSITE_KIND.group;

/** Returns true if a text can be an XRD, because it contains the name of the kind. A parser must decide whether it is one. */
export const mayBeComposite = (bytes: Uint8Array): boolean => latin1Text(bytes).includes(COMPOSITE_KIND.kind);

/** Returns true if a document can be a definition that was made of an XRD, or the reason why it was not made. */
export const mayBeMade = ({ bytes, notation }: { readonly bytes: Uint8Array; readonly notation: string }): boolean =>
  notation === 'unread' || (notation === 'json' && latin1Text(bytes).includes(UNKNOWN_OWNER_UID));
