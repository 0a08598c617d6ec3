// Functions that the bundles use and Node 20 lacks. They behave as ECMA-262 defines.

/** Replacement of `Map.groupBy` (Node 21). */
export function groupBy(values, keyOf) {
  const groups = new Map();
  let index = 0;
  for (const value of values) {
    const key = keyOf(value, index++);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** Replacement of `Promise.withResolvers` (Node 22). */
export function withResolvers() {
  let resolve;
  let reject;
  const promise = new Promise((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

/** Replacement of `Array.fromAsync` (Node 22) for an iterable. */
export async function fromAsync(values) {
  const gathered = [];
  for await (const value of values) gathered.push(value);
  return gathered;
}
