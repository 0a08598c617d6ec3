import type { JsonObject } from '#go';
import type { GroupVersionKind, GroupVersionResource } from './group-version.ts';
import type { StructType } from '../built-in/table/go-type.ts';

/** Operation of an admission request. CONNECT opens a stream to an object. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** User who makes the request. */
export interface UserInfo {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/**
 * Admission request as admission plugins receive it, after decoding, defaulting and pruning. Source:
 * k8s.io/apiserver/pkg/admission/interfaces.go `Attributes` (1.37).
 */
export interface AdmissionRequest {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** Name of the object; empty if the server generates the name. */
  readonly name: string;
  /** Namespace of the object. Empty for cluster-scoped objects. For a Namespace, it is the name of the Namespace itself. */
  readonly namespace: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  /** Go types of `object` and `oldObject`; undefined if an object is not of a built-in kind or is not stored in its Go type. */
  readonly objectType: StructType | undefined;
  readonly oldObjectType: StructType | undefined;
  /** Options of the operation, for example CreateOptions; undefined for CONNECT. */
  readonly options: JsonObject | undefined;
  readonly dryRun: boolean;
  readonly user: UserInfo;
}
