import type { JsonObject } from '#go';
import type { Minor } from '#kube';

/** Function that sets the defaults in the value of a struct. It changes the value in place. */
export type Defaulter = (value: JsonObject, minor: Minor) => void;
