/** Stands for an answer that did not come in time. */
export const LATE = Symbol('late');

/**
 * Returns an answer that comes within this time, ms, or {@link LATE}; rejects as the answer does. Before the time counts as over, an answer is read that came
 * while this process stood still.
 */
export async function inTime<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => setImmediate(() => resolve(LATE)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
