import { expect } from 'vitest';
import { matchers } from './testing.ts';
import type { Document, WriteOptions } from './types.ts';

export { fixture } from './testing.ts';
export type { FixtureFields, FixtureValue } from './testing.ts';

expect.extend(matchers);

declare module 'vitest' {
  // The parameters are those of Vitest's own declaration.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** The server accepts the write of the object under the definition that is expected of. */
    toAccept: (object: Document, options?: WriteOptions) => R;
    /** The server rejects the write, with a message that holds or fits `expected`. */
    toReject: (object: Document, expected?: string | RegExp, options?: WriteOptions) => R;
  }
}
