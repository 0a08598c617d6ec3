// Replacement of the parts of `node:timers/promises` that the library uses, for runtimes without Node.
const after = (ms) => new Promise((resolve) => globalThis.setTimeout(resolve, ms));

export const setImmediate = () => after(0);
export const setTimeout = after;
