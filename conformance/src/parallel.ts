/**
 * Runs `work` for all items, at most `width` at a time. Yields the results in the order of the items, each as soon as all earlier ones are
 * available.
 */
export async function* inParallel<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  let next = 0;
  const start = (): void => {
    const item = items[next++];
    if (item !== undefined) running.push(work(item));
  };
  for (let i = 0; i < width; i++) start();
  for (let result = running.shift(); result !== undefined; result = running.shift()) {
    const done = await result;
    start();
    yield done;
  }
}
