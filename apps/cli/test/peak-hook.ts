/** Returns the code of a module that writes the peak memory of its process, in KiB, to a file at the end. Load it with `--require`. */
export const peakHook = (file: string): string => `(${recordPeak.toString()})(${JSON.stringify(file)})\n`;

/**
 * Writes the peak memory of this process, in KiB, to a file when the process ends. The function runs in the measured process, so it uses
 * nothing outside its body. The operating system's maximum for a process contains the memory of the process that started it. The function
 * therefore reads the high-water mark of its own memory if the system provides one.
 */
function recordPeak(file: string): void {
  if (!process.getBuiltinModule('node:worker_threads').isMainThread) return;
  process.on('exit', () => {
    const { existsSync, readFileSync, writeFileSync } = process.getBuiltinModule('node:fs');
    const status = '/proc/self/status';
    const own = existsSync(status) ? /VmHWM:\s*(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
    writeFileSync(file, own ?? String(process.resourceUsage().maxRSS));
  });
}
