import type { JsonObject } from '#go';
import type { Minor } from '#kube';

/** Function that sets the defaults of a struct's value. The value is changed in place. */
export type Defaulter = (value: JsonObject, minor: Minor) => void;
