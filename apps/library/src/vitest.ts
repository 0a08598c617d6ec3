import { expect } from 'vitest';
import { matchers } from './testing.ts';
import type { Document, WriteOptions } from './types.ts';

export { fixture } from './testing.ts';
export type { FixtureFields, FixtureValue } from './testing.ts';

expect.extend(matchers);

declare module 'vitest' {
  // The type parameters repeat those of Vitest's own declaration.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Passes if the server accepts the write of the object. The definition is the argument of `expect`. */
    toAccept: (object: Document, options?: WriteOptions) => R;
    /** Passes if the server refuses the write with a message that contains or matches `expected`. */
    toReject: (object: Document, expected?: string | RegExp, options?: WriteOptions) => R;
  }
}
