import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Callbacks for changes of watched files. */
export interface Reloading {
  /** Called if the content of the files has changed, and on SIGHUP. All files are readable at the time of the call. */
  readonly reload: () => void;
  /** Called once, with the reason, when a file becomes unreadable. It is also called on SIGHUP if a file is unreadable. */
  readonly unreadable: (error: unknown) => void;
}

/**
 * Calls `reload` if the content of the files has changed, and on SIGHUP. A file that cannot be read counts as unchanged, because a secret
 * is missing for a moment while it is replaced. The files are read every `intervalMs`, because mounted secrets change without an event.
 * Returns a function that stops the watching.
 */
export function reloadOnChange(files: readonly string[], { reload, unreadable }: Reloading, intervalMs: number): () => void {
  let known: string | undefined;
  let isChecking = false;
  let isAway = false;
  let isStopped = false;
  const check = async (occasion: 'request' | 'interval'): Promise<void> => {
    const isRequested = occasion === 'request';
    if (isChecking && !isRequested) return;
    isChecking = true;
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
      isChecking = false;
    }
  };
  const onHangup = (): void => void check('request');
  void check('interval');
  const timer = setInterval(() => void check('interval'), intervalMs).unref();
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

/** Returns the content of a regular file. Throws for any other kind of file, because reading from a pipe might wait for ever. */
async function contentOf(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is no regular file: it is not read again`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
