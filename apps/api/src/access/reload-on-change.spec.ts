import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { reloadOnChange } from './reload-on-change.ts';

const LOOK_MS = 10;
const folder = mkdtempSync(join(tmpdir(), 'assay-reload-'));
const file = join(folder, 'keys.yaml');
const reload = vi.fn<() => void>();
const unreadable = vi.fn<(error: unknown) => void>();
let stop = (): void => undefined;

afterEach(() => {
  stop();
  rmSync(file, { force: true });
  vi.resetAllMocks();
});

const watch = (): void => {
  stop = reloadOnChange([file], { reload, unreadable }, LOOK_MS);
};
/** Replaces the watched file atomically by renaming a new file over it. A mounted secret changes in the same way. */
const replace = (text: string): void => {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
};
const looks = (times: number): Promise<void> => new Promise((done) => setTimeout(done, times * LOOK_MS));

describe('watched files', () => {
  it('are read again when they change', async () => {
    replace('one');
    watch();
    await looks(5);
    expect(reload).not.toHaveBeenCalled();
    replace('two');
    await expect.poll(() => reload).toHaveBeenCalledTimes(1);
    expect(unreadable).not.toHaveBeenCalled();
  });

  it('are reported once when they are missing, and read again when they exist again', async () => {
    replace('one');
    watch();
    await looks(5);
    rmSync(file);
    await expect.poll(() => unreadable).toHaveBeenCalled();
    await looks(5);
    expect(unreadable).toHaveBeenCalledTimes(1);
    expect(unreadable.mock.calls[0]![0]).toMatchObject({ code: 'ENOENT' });
    replace('two');
    await expect.poll(() => reload).toHaveBeenCalledTimes(1);
  });

  it('are still watched after a pipe replaced one of them', async () => {
    replace('one');
    watch();
    await looks(5);
    execFileSync('mkfifo', [`${file}.pipe`]);
    renameSync(`${file}.pipe`, file);
    await expect.poll(() => unreadable).toHaveBeenCalledTimes(1);
    expect(String(unreadable.mock.calls[0]![0])).toContain('is no regular file');
    replace('two');
    await expect.poll(() => reload).toHaveBeenCalledTimes(1);
  });

  it('cause no report after watching ended, even if a check is running', async () => {
    watch();
    stop();
    await looks(5);
    expect(unreadable).not.toHaveBeenCalled();
  });

  it('are read or reported when the process receives SIGHUP', async () => {
    replace('one');
    watch();
    process.emit('SIGHUP');
    await expect.poll(() => reload).toHaveBeenCalledTimes(1);
    rmSync(file);
    await expect.poll(() => unreadable).toHaveBeenCalledTimes(1);
    process.emit('SIGHUP');
    await expect.poll(() => unreadable).toHaveBeenCalledTimes(2);
  });
});
