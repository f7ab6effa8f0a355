import { Command, CommanderError } from 'commander';
import { InputError } from '../../../common/errors';
import { registerController } from '../../../cli/controller/register';

export interface ControllerRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `hpcc controller …` in this process and catches what it prints. */
export async function runController(...argv: readonly string[]): Promise<ControllerRun> {
  const written = { out: '', err: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name === 'stdout' ? 'out' : 'err'] += String(text);
      return true;
    }),
  );
  const before = process.exitCode;
  process.exitCode = 0;
  let code: number;
  try {
    const program = new Command('hpcc').exitOverride();
    registerController(program.command('controller'));
    await program.parseAsync(['node', 'hpcc', 'controller', ...argv]);
    code = process.exitCode;
  } catch (error) {
    if (!(error instanceof InputError || error instanceof CommanderError)) throw error;
    written.err += error.message;
    code = 1;
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
  return { code, ...written };
}
