import type { Status } from '#kube';

/** Result of cutting the bytes of a request into documents: the parts of the request, or the Status with which the whole request fails. */
export type CutResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly status: Status };
