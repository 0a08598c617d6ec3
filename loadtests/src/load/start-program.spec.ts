import { describe, expect, it } from 'vitest';
import { startProgram } from './start-program.ts';
import { startTogether } from './start-together.ts';

const node = (script: string) => ({ name: 'a program', command: process.execPath, args: ['-e', script], ready: /listens on (\S+)/ });
const LISTENS = "process.stdout.write('listens on x\\n'); setInterval(() => {}, 1000);";
const runs = (processId: number): boolean => {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
};

describe('a program that an experiment starts', () => {
  it('is ready when it prints that, and has ended after the experiment stopped it', async () => {
    const program = await startProgram(node(LISTENS));
    expect(program.match[1]).toBe('x');
    expect(runs(program.processId)).toBe(true);
    await program.stop();
    expect(runs(program.processId)).toBe(false);
  });

  it('is killed if it ignores the signal to stop', async () => {
    const program = await startProgram({ ...node(`process.on('SIGTERM', () => {}); ${LISTENS}`), stopMs: 200 });
    await program.stop();
    expect(runs(program.processId)).toBe(false);
  });

  it('leads to an error with its output if it ends before it is ready, or cannot be started', async () => {
    await expect(startProgram(node("console.error('no port'); process.exit(3)"))).rejects.toThrow(/ended \(3\).*no port/s);
    await expect(startProgram({ ...node(''), command: 'no-such-program-of-assay' })).rejects.toThrow(/cannot be started/);
  });

  it('is stopped if another program of the same experiment fails', async () => {
    let processId = 0;
    const works = async () => {
      const program = await startProgram(node(LISTENS));
      processId = program.processId;
      return { ...program, url: '' };
    };
    await expect(startTogether([works, () => Promise.reject(new Error('no Redis'))])).rejects.toThrow('no Redis');
    expect(processId).toBeGreaterThan(0);
    expect(runs(processId)).toBe(false);
  });
});
