import { Optional } from './value.ts';

/** optional.none(). */
export const NONE = new Optional(undefined);
