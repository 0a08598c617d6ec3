import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/**
 * Calls `reload` whenever what files hold has changed, and on SIGHUP. Files that cannot be read count as unchanged: a secret that is being replaced is
 * away for a moment. They are looked at every `intervalMs`: mounted secrets change without an event that a process could wait for. Answers how to stop.
 */
export function reloadOnChange(files: readonly string[], reload: () => void, intervalMs: number): () => void {
  let known: string | undefined;
  const look = async (): Promise<void> => {
    const now = await digestOf(files).catch(() => known);
    const isChanged = known !== undefined && now !== known;
    known = now;
    if (isChanged) reload();
  };
  void look();
  const timer = setInterval(() => void look(), intervalMs).unref();
  process.on('SIGHUP', reload);
  return () => {
    clearInterval(timer);
    process.off('SIGHUP', reload);
  };
}

async function digestOf(files: readonly string[]): Promise<string> {
  const digest = createHash('sha256');
  for (const text of await Promise.all(files.map((file) => readFile(file)))) digest.update(text).update('\0');
  return digest.digest('hex');
}
