import { Optional } from './value.ts';

/** Value of `optional.none()`. */
export const NONE = new Optional(undefined);
