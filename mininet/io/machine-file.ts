import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { z } from 'zod';
import { InputError } from '../../common/errors';
import type { MachineCapacity } from '../experiment/parameters';

const capacitySchema = z.strictObject({
  packetsPerSecond: z.strictObject({
    embedded: z.number().positive().optional(),
    bmv2: z.number().positive().optional(),
  }),
  frameBytes: z.number().positive(),
});

/**
 * File with the capacity that the doctor has measured: with the user's state, as in the XDG Base
 * Directory Specification, since an installed package is no place to write to.
 */
export function machineFile(): string {
  const state = process.env['XDG_STATE_HOME'] ?? '';
  const folder = path.isAbsolute(state) ? state : path.join(os.homedir(), '.local', 'state');
  return path.join(folder, 'hpcc', 'machine.json');
}

/**
 * Reads the capacity that the doctor has measured; undefined when it has not.
 * @throws InputError for a file that is not the doctor's.
 */
export function readMachine(): MachineCapacity | undefined {
  const file = machineFile();
  if (!fs.existsSync(file)) return undefined;
  try {
    const { packetsPerSecond, frameBytes } = capacitySchema.parse(
      JSON.parse(fs.readFileSync(file, 'utf8')),
    );
    return { packetsPerSecond: withoutUndefined(packetsPerSecond), frameBytes };
  } catch {
    throw new InputError(
      `${file} is not what the doctor writes: ./hpcc mininet doctor --save mends it`,
    );
  }
}

/** @throws InputError when the file cannot be written. */
export function writeMachine(capacity: MachineCapacity): void {
  const file = machineFile();
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, `${JSON.stringify(capacity, null, 1)}\n`);
  } catch (error) {
    throw new InputError(`${(error as Error).message}: set XDG_STATE_HOME to a folder for it`);
  }
}

function withoutUndefined(
  rates: z.infer<typeof capacitySchema>['packetsPerSecond'],
): MachineCapacity['packetsPerSecond'] {
  return {
    ...(rates.embedded !== undefined && { embedded: rates.embedded }),
    ...(rates.bmv2 !== undefined && { bmv2: rates.bmv2 }),
  };
}
