import { InputError } from '../common/errors';
import { runSwitch } from './io/run-switch';

/** The switch under the name and with the command line of simple_switch_grpc. */
async function main(): Promise<void> {
  try {
    await runSwitch(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    process.stderr.write(`simple_switch_grpc: ${error.message}\n`);
    process.exitCode = 1;
  }
}

void main();
