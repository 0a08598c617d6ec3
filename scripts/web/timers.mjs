// What the library uses of `node:timers/promises`, where there is no Node.
const after = (ms) => new Promise((resolve) => globalThis.setTimeout(resolve, ms));

export const setImmediate = () => after(0);
export const setTimeout = after;
