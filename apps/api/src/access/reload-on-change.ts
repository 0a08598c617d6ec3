import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** The acts that watched files lead to. */
export interface Reloading {
  /** Called when what the files hold has changed, and on SIGHUP. Both can be read then. */
  readonly reload: () => void;
  /** Called once when a file cannot be read any more, with the reason, and on SIGHUP. */
  readonly unreadable: (error: unknown) => void;
}

/**
 * Calls `reload` when the content of files has changed, and on SIGHUP. Files that cannot be read count as unchanged: a secret that is being replaced is
 * away for a moment. They are looked at every `intervalMs`, since mounted secrets change without an event. Returns how to stop.
 */
export function reloadOnChange(files: readonly string[], { reload, unreadable }: Reloading, intervalMs: number): () => void {
  let known: string | undefined;
  let isLooking = false;
  let isAway = false;
  let isStopped = false;
  const look = async (isRequested: boolean): Promise<void> => {
    if (isLooking && !isRequested) return;
    isLooking = true;
    try {
      const now = await digestOf(files);
      if (isStopped) return;
      const isChanged = known !== undefined && now !== known;
      known = now;
      isAway = false;
      if (isChanged || isRequested) reload();
    } catch (error) {
      if (isStopped) return;
      if (!isAway || isRequested) unreadable(error);
      isAway = true;
    } finally {
      isLooking = false;
    }
  };
  const onHangup = (): void => void look(true);
  void look(false);
  const timer = setInterval(() => void look(false), intervalMs).unref();
  process.on('SIGHUP', onHangup);
  return () => {
    isStopped = true;
    clearInterval(timer);
    process.off('SIGHUP', onHangup);
  };
}

async function digestOf(files: readonly string[]): Promise<string> {
  const digest = createHash('sha256');
  for (const file of files) digest.update(await contentOf(file)).update('\0');
  return digest.digest('hex');
}

/** Returns what a regular file holds. Throws for others: a pipe would keep its reader waiting for ever. */
async function contentOf(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is no regular file: it is not read again`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
