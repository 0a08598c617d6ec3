import type { StructType } from '#builtin';
import type { JsonObject } from '#go';
import type { GroupVersionKind, GroupVersionResource } from './group-version.ts';

/** The operation of a write. CONNECT opens a stream to an object. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** Who writes. */
export interface UserInfo {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/**
 * An admission request as plugins see it: after decoding, defaulting and pruning. Source: k8s.io/apiserver/pkg/admission/interfaces.go `Attributes` (1.37).
 */
export interface AdmissionRequest {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** Empty where the server is to make one up. */
  readonly name: string;
  /** Empty for cluster-scoped objects; of a Namespace its own name. */
  readonly namespace: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  /** The Go types of both, where they are of built-in kinds and held as such. */
  readonly objectType: StructType | undefined;
  readonly oldObjectType: StructType | undefined;
  /** CreateOptions and the like; CONNECT has none. */
  readonly options: JsonObject | undefined;
  readonly dryRun: boolean;
  readonly user: UserInfo;
}
